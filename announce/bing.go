package announce

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce/internal/calendar"
)

// The Bing Webmaster API (https://learn.microsoft.com/en-us/dotnet/api/microsoft.bing.webmaster.api.interfaces.iwebmasterapi).
const (
	bingRoot = "https://ssl.bing.com/webmaster/api.svc/json/"
	// BingBatch is the most URLs of one request.
	BingBatch = 500
)

// A Bing submits sitemaps and URLs to Bing Webmaster Tools. Bing recommends IndexNow for
// URLs.
type Bing struct {
	*service
	key string
}

// BingOptions configure a [Bing].
type BingOptions struct {
	// Key is the API key of the account.
	Key string
}

// NewBing returns an announcer.
func NewBing(o BingOptions, options *Options) (*Bing, error) {
	s, err := newService(ProviderBing, options, o.Key)
	return &Bing{s, o.Key}, err
}

// site returns the site of a URL, as Bing names it.
func site(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + strings.ToLower(u.Host) + "/"
}

func (b *Bing) query(method string, parameters url.Values) *call {
	parameters.Set("apikey", b.key)
	return &call{method: http.MethodGet, url: bingRoot + method + "?" + parameters.Encode()}
}

func (b *Bing) post(method string, body any) *call {
	return jsonCall(bingRoot+method+"?apikey="+url.QueryEscape(b.key), body)
}

func (b *Bing) feedCall(siteURL, feed string) *call {
	return b.post("SubmitFeed", struct {
		SiteURL string `json:"siteUrl"`
		FeedURL string `json:"feedUrl"`
	}{siteURL, feed})
}

func (b *Bing) quotaCall(siteURL string) *call {
	return b.query("GetUrlSubmissionQuota", url.Values{"siteUrl": {siteURL}})
}

// urlsCall has the lower-case b of Bing's JSON samples.
func (b *Bing) urlsCall(siteURL string, items []Item) *call {
	return b.post("SubmitUrlbatch", struct {
		SiteURL string   `json:"siteUrl"`
		URLList []string `json:"urlList"`
	}{siteURL, addresses(items)})
}

func (b *Bing) siteOf(item Item) (string, *Error) { return site(item.URL), nil }

func (b *Bing) urlJob(a *Announcement) *job {
	return &job{kind: KindURLs, items: a.URLs, target: b.siteOf, size: BingBatch, zone: calendar.UTC}
}

// Plan implements [Announcer].
func (b *Bing) Plan(a *Announcement) iter.Seq2[Request, error] {
	var feed []*call
	if a.Sitemap.URL != "" {
		feed = append(feed, b.feedCall(site(a.Sitemap.URL), a.Sitemap.URL))
	}
	return plans(b.shownAll(feed...), b.planWithQuotas(b.urlJob(a), b.quotaCall, b.urlsCall))
}

// Announce implements [Announcer]. It submits the sitemap, and the URLs within the quota
// that Bing names.
func (b *Bing) Announce(ctx context.Context, a *Announcement) []Result {
	results := b.deliver(ctx, &job{
		kind: KindSitemap, items: single(a.Sitemap), size: 1, target: b.siteOf, zone: calendar.UTC,
		send: func(ctx context.Context, target string, items []Item) sendResult {
			_, e := b.exchange(ctx, b.feedCall(target, items[0].URL), b.judge)
			return alreadyThere(e)
		},
	})
	j := b.urlJob(a)
	j.askQuota = b.askQuota
	j.send = func(ctx context.Context, target string, items []Item) sendResult {
		_, e := b.exchange(ctx, b.urlsCall(target, items), b.judge)
		return alreadyThere(e)
	}
	return b.deliverAfter(ctx, results, j)
}

// alreadyThere takes an error that says so for a success.
func alreadyThere(e *Error) sendResult {
	if e != nil && e.Code == "AlreadyExists" {
		return sendResult{note: "it was there already"}
	}
	return sendResult{err: e}
}

// askQuota records the quota of a site. Whether Bing means what is left or the whole
// quota is not documented, so it counts as what is left when it is asked.
func (b *Bing) askQuota(ctx context.Context, target string) *Error {
	var body struct {
		D struct {
			Daily   int `json:"DailyQuota"`
			Monthly int `json:"MonthlyQuota"`
		} `json:"d"`
	}
	if e := b.exchangeJSON(ctx, b.quotaCall(target), b.judge, &body); e != nil {
		return e
	}
	q := Quota{Target: target, Kind: KindURLs, Left: body.D.Daily}
	q.Since, q.Resets = calendar.UTC.Day(time.Now())
	if body.D.Monthly < body.D.Daily {
		q.Left = body.D.Monthly
		q.Since, q.Resets = calendar.UTC.Month(time.Now())
	}
	return b.setQuota(ctx, q)
}

// bingCodes are the codes of errors (ApiErrorCode in the documentation).
var bingCodes = []struct {
	name   string
	reason Reason
}{
	{"None", ReasonOther},
	{"InternalError", ReasonServer},
	{"UnknownError", ReasonServer},
	{"InvalidApiKey", ReasonCredentials},
	{"ThrottleUser", ReasonThrottled},
	{"ThrottleHost", ReasonThrottled},
	{"UserBlocked", ReasonUserBlocked},
	{"InvalidUrl", ReasonInvalidURL},
	{"InvalidParameter", ReasonInvalidParameter},
	{"TooManySites", ReasonTooManySites},
	{"UserNotFound", ReasonUnknownUser},
	{"NotFound", ReasonNotFound},
	{"AlreadyExists", ReasonOther},
	{"NotAllowed", ReasonNotAllowed},
	{"NotAuthorized", ReasonNotVerified},
	{"UnexpectedState", ReasonUnexpectedState},
	{"Deprecated", ReasonDeprecated},
}

// judge returns the error for an answer. Bing gives a code as a number or by its name,
// alone or in d, and the text "quota" where a quota is used up.
func (b *Bing) judge(a *answer) *Error {
	type failure struct {
		Code    json.RawMessage `json:"ErrorCode"`
		Message string          `json:"Message"`
	}
	var body struct {
		failure
		D json.RawMessage `json:"d"`
	}
	isJSON := json.Unmarshal(a.body, &body) == nil
	found := body.failure
	if len(found.Code) == 0 {
		_ = json.Unmarshal(body.D, &found) // d usually holds something else
	}
	name, reason := bingCode(found.Code)
	switch {
	case a.status == http.StatusOK && isJSON && (name == "" || name == "None"):
		return nil
	case a.status == http.StatusOK && !isJSON:
		return b.refused(a, ReasonBadAnswer, "", textOf(a))
	case name == "":
		return b.refused(a, reasonOf(a.status), "", textOf(a))
	case strings.Contains(strings.ToLower(found.Message), "quota"):
		reason = ReasonQuota
	}
	e := b.refused(a, reason, name, found.Message)
	if reason == ReasonThrottled {
		const pause = time.Hour
		e.Until = time.Now().Add(pause)
	}
	return e
}

func bingCode(raw json.RawMessage) (string, Reason) {
	text := strings.Trim(string(raw), `"`)
	if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < len(bingCodes) {
		return bingCodes[n].name, bingCodes[n].reason
	}
	for _, code := range bingCodes {
		if strings.EqualFold(code.name, text) {
			return code.name, code.reason
		}
	}
	return "", ReasonOther
}

// A BingFeed is what Bing says about a sitemap.
type BingFeed struct {
	URL         string `json:"Url"`
	Type        string
	Status      string
	Submitted   string // as Bing writes it; see [parseBingDate]
	LastCrawled string
	URLCount    int64 `json:"UrlCount"`
	FileSize    int64
	Compressed  bool
}

// Feeds returns the sitemaps of a site. The error is an [*Error].
func (b *Bing) Feeds(ctx context.Context, siteURL string) ([]BingFeed, error) {
	var body struct {
		D []BingFeed `json:"d"`
	}
	if e := b.exchangeJSON(ctx, b.query("GetFeeds", url.Values{"siteUrl": {siteURL}}), b.judge, &body); e != nil {
		return nil, e
	}
	return body.D, nil
}

// ReadStatus implements [StatusReader].
func (b *Bing) ReadStatus(ctx context.Context, sitemap string) (*SitemapStatus, error) {
	target := site(sitemap)
	feeds, err := b.Feeds(ctx, target)
	if err != nil {
		return nil, err
	}
	status := &SitemapStatus{Provider: b.provider, Target: target, Errors: -1, Warnings: -1, URLs: -1}
	i := slices.IndexFunc(feeds, func(f BingFeed) bool { return f.URL == sitemap })
	if i < 0 {
		return status, nil
	}
	f := feeds[i]
	status.Known, status.URLs, status.Text = true, f.URLCount, b.clean(f.Status)
	status.Submitted, status.Read = parseBingDate(f.Submitted), parseBingDate(f.LastCrawled)
	status.Pending = status.Read.Before(status.Submitted) || strings.EqualFold(f.Status, "Pending")
	return status, nil
}

var bingDate = regexp.MustCompile(`^/Date\((-?[0-9]{1,15})(?:[+-][0-9]{4})?\)/$`)

// parseBingDate returns a date of Bing's JSON, such as /Date(1399100400000-0700)/, whose
// number is milliseconds since 1970 in UTC. It is zero for anything else, and for the
// year 1, by which Bing means never.
func parseBingDate(text string) time.Time {
	parts := bingDate.FindStringSubmatch(text)
	if parts == nil {
		return time.Time{}
	}
	milliseconds, err := strconv.ParseInt(parts[1], 10, 64)
	if at := time.UnixMilli(milliseconds).UTC(); err == nil && at.Year() > 1 {
		return at
	}
	return time.Time{}
}
