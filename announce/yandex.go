package announce

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce/internal/calendar"
)

// The Yandex Webmaster API (https://yandex.com/dev/webmaster/doc/en/).
const (
	yandexRoot = "https://api.webmaster.yandex.net"
	yandexV4   = "/v4"
	yandexV41  = "/v4.1" // recrawl of sitemaps
)

// A Yandex adds sitemaps to Yandex Webmaster, asks for them to be read again, and submits
// URLs.
type Yandex struct {
	*service
	token string
}

// YandexOptions configure a [Yandex].
type YandexOptions struct {
	// Token is an OAuth token with the permissions webmaster:hostinfo and
	// webmaster:verify. It lasts six months.
	Token string
}

// NewYandex returns an announcer.
func NewYandex(o YandexOptions, options *Options) (*Yandex, error) {
	s, err := newService(ProviderYandex, options, o.Token)
	return &Yandex{s, o.Token}, err
}

// A yandexHost is a host of a user.
type yandexHost struct {
	user string // or {user-id}
	id   string // such as https:example.com:443
}

// hostID returns the ID of the host of a URL.
func hostID(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return u.Scheme + ":" + strings.ToLower(u.Hostname()) + ":" + port
}

func (y *Yandex) authorized(c *call) *call {
	c.token = "OAuth " + y.token
	return c
}

func (y *Yandex) userCall() *call {
	return y.authorized(&call{method: http.MethodGet, url: yandexRoot + yandexV4 + "/user"})
}

// path returns the URL of a resource of the host.
func (h yandexHost) path(version, resource string) string {
	return yandexRoot + version + "/user/" + h.user + "/hosts/" + segment(h.id) + "/" + resource
}

func (y *Yandex) get(h yandexHost, version, resource string) *call {
	return y.authorized(&call{method: http.MethodGet, url: h.path(version, resource)})
}

func (y *Yandex) post(h yandexHost, resource, address string) *call {
	return y.authorized(jsonCall(h.path(yandexV4, resource), struct {
		URL string `json:"url"`
	}{address}))
}

func (y *Yandex) recrawlCall(h yandexHost, sitemapID string) *call {
	return y.authorized(&call{method: http.MethodPost, url: h.path(yandexV41, "sitemaps/"+sitemapID+"/recrawl")})
}

// Plan implements [Announcer]. Whether Yandex is asked to read the sitemap again depends
// on its answers: it is when the sitemap is there already.
func (y *Yandex) Plan(a *Announcement) iter.Seq2[Request, error] {
	const user, sitemap = "{user-id}", "{sitemap-id}"
	calls := []*call{y.userCall()}
	if a.Sitemap.URL != "" {
		h := yandexHost{user, hostID(a.Sitemap.URL)}
		calls = append(calls, y.post(h, "user-added-sitemaps", a.Sitemap.URL),
			y.get(h, yandexV41, "sitemaps/recrawl"), y.recrawlCall(h, sitemap))
	}
	return plans(y.shownAll(calls...), y.planWithQuotas(y.urlJob(a), func(target string) *call {
		return y.get(yandexHost{user, target}, yandexV4, "recrawl/quota")
	}, func(target string, items []Item) *call {
		return y.post(yandexHost{user, target}, "recrawl/queue", items[0].URL)
	}))
}

func (y *Yandex) hostOf(item Item) (string, *Error) { return hostID(item.URL), nil }

func (y *Yandex) urlJob(a *Announcement) *job {
	return &job{kind: KindURLs, items: a.URLs, size: 1, target: y.hostOf, zone: calendar.Moscow}
}

// Announce implements [Announcer]. It adds the sitemap, or asks for it to be read again
// when Yandex has it, and submits the URLs one by one within the daily quota.
func (y *Yandex) Announce(ctx context.Context, a *Announcement) []Result {
	user, e := y.user(ctx)
	if e != nil {
		r := Result{Provider: y.provider, Kind: KindSitemap}
		r.fail(e, 1)
		return []Result{r}
	}
	results := y.announceSitemap(ctx, user, a.Sitemap)
	j := y.urlJob(a)
	j.askQuota = func(ctx context.Context, target string) *Error {
		return y.askQuota(ctx, yandexHost{user, target})
	}
	j.send = func(ctx context.Context, target string, items []Item) sendResult {
		_, e := y.exchange(ctx, y.post(yandexHost{user, target}, "recrawl/queue", items[0].URL), y.judge)
		if e != nil && e.Code == "URL_ALREADY_ADDED" {
			return sendResult{note: "some URLs were in the queue already"}
		}
		return sendResult{err: e}
	}
	return y.deliverAfter(ctx, results, j)
}

func (y *Yandex) announceSitemap(ctx context.Context, user string, sitemap Item) []Result {
	known := "" // the ID of a sitemap that was there already
	results := y.deliver(ctx, &job{
		kind: KindSitemap, items: single(sitemap), size: 1, target: y.hostOf, zone: calendar.Moscow,
		send: func(ctx context.Context, target string, items []Item) sendResult {
			var s sendResult
			known, s = y.add(ctx, yandexHost{user, target}, items[0].URL)
			return s
		},
	})
	if known == "" {
		return results
	}
	return y.deliverAfter(ctx, results, &job{
		kind: KindRecrawl, items: single(sitemap), size: 1, target: y.hostOf, zone: calendar.Moscow,
		askQuota: func(ctx context.Context, target string) *Error {
			return y.askRecrawlQuota(ctx, yandexHost{user, target})
		},
		send: func(ctx context.Context, target string, _ []Item) sendResult {
			_, e := y.exchange(ctx, y.recrawlCall(yandexHost{user, target}, known), y.judge)
			return sendResult{err: e}
		},
	})
}

// add adds a sitemap. It returns the ID of one that was there already.
func (y *Yandex) add(ctx context.Context, h yandexHost, sitemap string) (known string, s sendResult) {
	a, e := y.exchange(ctx, y.post(h, "user-added-sitemaps", sitemap), y.judge)
	if e == nil {
		return "", sendResult{}
	}
	if e.Code != "SITEMAP_ALREADY_ADDED" {
		return "", sendResult{err: e}
	}
	var body struct {
		ID string `json:"sitemap_id"`
	}
	if e := y.decode(a, &body); e != nil {
		return "", sendResult{err: e}
	}
	return segment(body.ID), sendResult{note: "Yandex has the sitemap already"}
}

func (y *Yandex) user(ctx context.Context) (string, *Error) {
	var body struct {
		ID int64 `json:"user_id"`
	}
	if e := y.exchangeJSON(ctx, y.userCall(), y.judge, &body); e != nil {
		return "", e
	}
	return strconv.FormatInt(body.ID, 10), nil
}

func (y *Yandex) askQuota(ctx context.Context, h yandexHost) *Error {
	var body struct {
		Daily int `json:"daily_quota"`
		Left  int `json:"quota_remainder"`
	}
	if e := y.exchangeJSON(ctx, y.get(h, yandexV4, "recrawl/quota"), y.judge, &body); e != nil {
		return e
	}
	q := Quota{Target: h.id, Kind: KindURLs, Limit: body.Daily, Left: body.Left}
	q.Since, q.Resets = calendar.Moscow.Day(time.Now())
	return y.setQuota(ctx, q)
}

func (y *Yandex) askRecrawlQuota(ctx context.Context, h yandexHost) *Error {
	var body struct {
		Info struct {
			Limit int       `json:"monthly_limit_requests"`
			Used  int       `json:"requests_count"`
			Next  time.Time `json:"nearest_allowed_day"`
		} `json:"host_sitemaps_recrawl_limit_info"`
	}
	if e := y.exchangeJSON(ctx, y.get(h, yandexV41, "sitemaps/recrawl"), y.judge, &body); e != nil {
		return e
	}
	now, info := time.Now(), body.Info
	q := Quota{Target: h.id, Kind: KindRecrawl, Limit: info.Limit, Left: info.Limit - info.Used}
	q.Since, q.Resets = calendar.Moscow.Month(now)
	if info.Next.After(now) { // the current day means that one is allowed now
		q.Left = 0
		if info.Next.Before(q.Resets) {
			q.Resets = info.Next
		}
	}
	return y.setQuota(ctx, q)
}

// yandexReasons are the codes of errors, which the page of each resource lists.
var yandexReasons = map[string]Reason{
	"ACCESS_FORBIDDEN": ReasonScope, "INVALID_OAUTH_TOKEN": ReasonCredentials, "INVALID_USER_ID": ReasonWrongUser,
	"HOST_NOT_VERIFIED": ReasonNotVerified, "HOST_NOT_FOUND": ReasonNotVerified, "HOST_NOT_LOADED": ReasonNotLoaded,
	"HOST_NOT_INDEXED": ReasonNotLoaded, "INVALID_URL": ReasonInvalidURL, "SITEMAP_NOT_FOUND": ReasonNotFound,
	"RESOURCE_NOT_FOUND": ReasonNotFound, "QUOTA_EXCEEDED": ReasonQuota, "TOO_MANY_REQUESTS_ERROR": ReasonTooMany,
	"LIMIT_EXCEEDED": ReasonQuota,
}

// judge returns the error for an answer.
func (y *Yandex) judge(a *answer) *Error {
	if a.status >= 200 && a.status < 300 {
		return nil
	}
	var body struct {
		Code    string `json:"error_code"`
		Message string `json:"error_message"`
	}
	text := textOf(a)
	if json.Unmarshal(a.body, &body) == nil && body.Message != "" {
		text = body.Message
	}
	reason, known := yandexReasons[body.Code]
	if !known {
		reason = reasonOf(a.status)
	}
	return y.refused(a, reason, body.Code, text)
}

// ReadStatus implements [StatusReader].
func (y *Yandex) ReadStatus(ctx context.Context, sitemap string) (*SitemapStatus, error) {
	user, e := y.user(ctx)
	if e != nil {
		return nil, e
	}
	h := yandexHost{user, hostID(sitemap)}
	var body struct {
		Sitemaps []struct {
			URL    string    `json:"sitemap_url"`
			Read   time.Time `json:"last_access_date"`
			Errors int64     `json:"errors_count"`
			URLs   int64     `json:"urls_count"`
			Type   string    `json:"sitemap_type"`
		} `json:"sitemaps"`
	}
	if e := y.exchangeJSON(ctx, y.get(h, yandexV4, "sitemaps?limit=100"), y.judge, &body); e != nil {
		return nil, e
	}
	status := &SitemapStatus{Provider: y.provider, Target: h.id, Errors: -1, Warnings: -1, URLs: -1}
	for _, found := range slices.Backward(body.Sitemaps) {
		if found.URL == sitemap {
			status.Known, status.Pending, status.Read = true, found.Read.IsZero(), found.Read
			status.Errors, status.URLs, status.Text = found.Errors, found.URLs, y.clean(found.Type)
		}
	}
	return status, nil
}
