package urlnorm

import (
	"bytes"
	"slices"
	"strings"
)

// Parameters is a set of parameter names. Names are compared without regard to
// ASCII case. It is safe for concurrent use.
type Parameters struct {
	names    map[string]struct{}
	prefixes []string
	longest  int // of names and prefixes
}

// NewParameters returns a set of names, such as "gclid". A name that ends in an
// asterisk, such as "utm_*", matches all names with that prefix.
func NewParameters(names ...string) *Parameters {
	p := &Parameters{names: make(map[string]struct{}, len(names))}
	for _, name := range names {
		name = string(appendLower(nil, []byte(name)))
		p.longest = max(p.longest, len(name))
		if prefix, ok := strings.CutSuffix(name, "*"); ok {
			p.prefixes = append(p.prefixes, prefix)
		} else {
			p.names[name] = struct{}{}
		}
	}
	return p
}

// PageParameters returns the set of parameters that do not distinguish pages:
// tracking parameters, session parameters, and the given names.
func PageParameters(names ...string) *Parameters {
	return NewParameters(slices.Concat(TrackingParameters, SessionParameters, names)...)
}

// has reports whether the set has the name of a parameter, given as "name" or
// "name=value".
func (p *Parameters) has(parameter []byte) bool {
	name := parameterName(parameter)
	if len(name) == 0 {
		return false
	}
	var buffer [64]byte
	lower := appendLower(buffer[:0], name[:min(len(name), p.longest)])
	if _, ok := p.names[string(lower)]; ok && len(lower) == len(name) {
		return true
	}
	for _, prefix := range p.prefixes {
		if len(lower) >= len(prefix) && string(lower[:len(prefix)]) == prefix {
			return true
		}
	}
	return false
}

func parameterName(parameter []byte) []byte {
	name, _, _ := bytes.Cut(parameter, []byte{'='})
	return name
}

// TrackingParameters are the names of the parameters that advertising, mailing
// and analytics products add to links to track clicks. They do not change the page.
var TrackingParameters = []string{
	"utm_*",                    // Google Analytics and products that copied it
	"gclid", "gclsrc", "dclid", // Google Ads, Display
	"gbraid", "wbraid", // Google Ads, on iOS
	"srsltid",    // Google Merchant Center
	"_ga", "_gl", // Google Analytics, across domains
	"fbclid", "fb_action_ids", // Meta
	"fb_action_types", "fb_ref", // Meta
	"fb_source", "igshid", "igsh", // Meta, Instagram
	"msclkid",                      // Microsoft Advertising
	"yclid", "ysclid", "_openstat", // Yandex
	"twclid", "ttclid", "rdt_cid", // X, TikTok, Reddit
	"li_fat_id", "epik", // LinkedIn, Pinterest
	"mc_cid", "mc_eid", // Mailchimp
	"_hsenc", "_hsmi", "hsctatracking", // HubSpot
	"__hssc", "__hstc", "__hsfp", // HubSpot
	"mkt_tok",                             // Marketo
	"ml_subscriber", "ml_subscriber_hash", // MailerLite
	"_kx", "vero_id", "vero_conv", // Klaviyo, Vero
	"oly_anon_id", "oly_enc_id", "wickedid", // Olytics, Wicked Reports
	"pk_*", "mtm_*", "matomo_*", "piwik_*", // Matomo
	"s_kwcid", "s_cid", // Adobe
	"wt_mc", "wt_zmc", // Webtrekk
	"at_medium", "at_campaign", // AT Internet
	"itm_*",          // internal campaigns
	"dicbo", "tblci", // Outbrain, Taboola
	"guccounter", "guce_*", // Yahoo
	"_trkparms", "_trksid", // eBay
}

// SessionParameters are the names of the parameters that servers add to links to
// keep a session without cookies. A name as short as sid may have another meaning on
// some sites.
var SessionParameters = []string{
	"phpsessid", "sid", // PHP and applications written in it
	"oscsid", "xtcsid", "zenid", // osCommerce, xt:Commerce, Zen Cart
	"jsessionid",      // Java servlets, mostly ;jsessionid=
	"aspsessionid*",   // ASP
	"cfid", "cftoken", // ColdFusion
	"sessionid", "session_id", "sessid",
}
