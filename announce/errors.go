package announce

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// A Reason classifies an [Error] by what a person can do about it.
type Reason int

// The reasons.
const (
	ReasonOther            Reason = iota
	ReasonCanceled                // the context ended
	ReasonUnreachable             // no answer
	ReasonRedirect                // the provider redirects, which is not followed
	ReasonBadAnswer               // the answer is too large, or not what is documented
	ReasonServer                  // 5xx
	ReasonTooMany                 // 429, too many requests
	ReasonQuota                   // the quota is used up
	ReasonThrottled               // the provider blocks the user for a while
	ReasonCredentials             // the token or key is missing, wrong or expired
	ReasonPermission              // the account may not submit for the site
	ReasonScope                   // the token lacks a permission
	ReasonDisabled                // the interface is not enabled for the project
	ReasonNoProperty              // the account has no property that covers the sitemap
	ReasonNotVerified             // the site is not verified
	ReasonNotLoaded               // the provider does not know the site yet
	ReasonKeyPending              // IndexNow has yet to verify the key
	ReasonKeyInvalid              // IndexNow does not find the key
	ReasonKeyRejected             // IndexNow refuses the key although its file is right
	ReasonUnprocessable           // URLs that do not belong to the host or the key
	ReasonBadRequest              // 400
	ReasonMethod                  // 405
	ReasonInvalidURL              // a URL that cannot be announced
	ReasonInvalidParameter        // Bing: parameters, or a site that was verified just now
	ReasonTooManySites
	ReasonUnknownUser
	ReasonWrongUser
	ReasonNotFound
	ReasonNotAllowed
	ReasonUserBlocked
	ReasonUnexpectedState
	ReasonDeprecated
	ReasonSiteMismatch // Baidu: the site is not the one of the token
	ReasonTooManyURLs
	ReasonEmpty
	ReasonNoHub
	ReasonHub    // the hub does not take the feed
	ReasonLedger // the ledger cannot be used, so nothing is sent
)

// advice says what to do about an error.
var advice = [...]string{
	ReasonUnreachable: "check the network, or a firewall or proxy in between, and run the command again",
	ReasonRedirect:    "the interface may have moved: check for a newer version of mapa",
	ReasonBadAnswer:   "something between here and the provider may have answered: check the proxy, and try again later",
	ReasonServer:      "the provider has a problem: run the command again later; what was not sent is kept",
	ReasonTooMany:     "wait a while and run the command again; what was not sent is kept",
	ReasonQuota:       "run the command again after the quota resets; what was not sent is kept",
	ReasonThrottled:   "the provider limits this account for some hours: run the command again later, and less often",
	ReasonCredentials: "create a new key or token, and check the environment variable that holds it",
	ReasonPermission:  "add the account of the credentials (client_email of a service account) as a full user of the property",
	ReasonScope: "create credentials with all permissions: Yandex needs webmaster:hostinfo and webmaster:verify, " +
		"Google the scope " + googleScope,
	ReasonDisabled:      "enable the Google Search Console API for the project of the credentials",
	ReasonNoProperty:    "verify the site with the provider, and add the account of the credentials to it",
	ReasonNotVerified:   "verify the site in the provider's webmaster tools first",
	ReasonNotLoaded:     "the provider has yet to visit the new site, which can take weeks: run the command again then",
	ReasonKeyPending:    "IndexNow checks the key file first, which takes 2 to 10 minutes: run the command again then",
	ReasonKeyInvalid:    "publish the key file and test it with: mapa announce key check",
	ReasonKeyRejected:   "the engine refuses this key: create another one with mapa announce key generate, and publish its file",
	ReasonUnprocessable: "announce only URLs of the host of the key file; test it with: mapa announce key check",
	ReasonBadRequest:    "the provider does not understand the request: check the URLs, and report it as a bug of mapa",
	ReasonMethod:        "this is a bug of mapa, or an interface that changed: report it",
	ReasonInvalidURL:    "announce absolute http or https URLs of the verified site only",
	ReasonInvalidParameter: "check that the site is verified under exactly this address; " +
		"right after the verification, wait some minutes",
	ReasonTooManySites:    "remove sites from the account",
	ReasonUnknownUser:     "sign in to the provider's webmaster tools once with the account of the key",
	ReasonWrongUser:       "use a token of the account that owns the site",
	ReasonNotFound:        "add and verify the site, and check that the sitemap is at its URL",
	ReasonNotAllowed:      "the account may not do this for the site: check its role in the webmaster tools",
	ReasonUserBlocked:     "the provider blocked the account: ask its support",
	ReasonUnexpectedState: "run the command again later; if it stays so, submit once in the webmaster tools",
	ReasonDeprecated:      "the interface was retired: check for a newer version of mapa",
	ReasonSiteMismatch:    "the site must be the one of the token, as the provider's page for links submission shows it",
	ReasonTooManyURLs:     "this is a bug of mapa: report it",
	ReasonEmpty:           "this is a bug of mapa: report it",
	ReasonNoHub:           "name a hub with --hub, or add a rel=hub link to the feed",
	ReasonHub:             "the hub does not know the feed, or takes other feeds: check its rel=self link, or name another hub",
	ReasonLedger:          "free disk space, or wait for the other run; nothing is sent that cannot be recorded",
}

// An Error says why an announcement failed. It holds no secret.
type Error struct {
	Provider Provider
	Reason   Reason
	// Status is the HTTP status; 0 without an answer.
	Status int
	// Code is the code in the answer of the provider, or empty.
	Code string
	// Message is what the provider says, on one line, or empty.
	Message string
	// Until is when to try again; zero if that is not known.
	Until time.Time
	// Err is the cause, or nil.
	Err error

	unsent bool // the request certainly did not reach the provider

	retry time.Duration // wait before the second try; 0 means that another try is useless
	after time.Duration // that the provider asks to wait
}

// Error returns the provider, the status and what it says, in one line.
func (e *Error) Error() string {
	var parts []string
	switch {
	case e.Status != 0:
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))))
	case e.Err != nil:
		parts = append(parts, e.Err.Error())
	}
	for _, part := range []string{e.Code, e.Message} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return string(e.Provider) + ": " + strings.Join(parts, ": ")
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Advice says what to do, in one sentence without a full stop. It is empty where there
// is nothing in particular to do.
func (e *Error) Advice() string {
	if int(e.Reason) >= len(advice) {
		return ""
	}
	return advice[e.Reason]
}

// Temporary reports whether the same announcement may succeed later.
func (e *Error) Temporary() bool {
	switch e.Reason {
	case ReasonUnreachable, ReasonServer, ReasonTooMany, ReasonQuota, ReasonThrottled, ReasonKeyPending,
		ReasonNotLoaded, ReasonCanceled:
		return true
	}
	return false
}

// concernsAccount reports whether the provider would refuse everything else, too.
func (e *Error) concernsAccount() bool {
	switch e.Reason {
	case ReasonTooMany, ReasonThrottled, ReasonCredentials, ReasonScope, ReasonUserBlocked, ReasonUnknownUser,
		ReasonWrongUser, ReasonNotVerified, ReasonNotLoaded:
		return true
	}
	return false
}

// concernsItems reports whether the error is about the items, so that others may be sent.
func (e *Error) concernsItems() bool {
	switch e.Reason {
	case ReasonInvalidURL, ReasonBadRequest, ReasonUnprocessable, ReasonNoHub, ReasonHub:
		return true
	}
	return false
}
