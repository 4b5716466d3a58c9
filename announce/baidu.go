package announce

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce/internal/calendar"
)

const (
	// baiduURL is the documented address. Baidu offers no https
	// (https://ziyuan.baidu.com/linksubmit/index).
	baiduURL = "http://data.zz.baidu.com/urls"
	// BaiduBatch is the most URLs of one request.
	BaiduBatch = 2000
)

// A Baidu submits URLs to Baidu Search Resource Platform. Its token goes through the
// network unencrypted, because Baidu offers no https.
type Baidu struct {
	*service
	token string
}

// BaiduOptions configure a [Baidu].
type BaiduOptions struct {
	// Token is the token for links submission of the site.
	Token string
}

// NewBaidu returns an announcer.
func NewBaidu(o BaiduOptions, options *Options) (*Baidu, error) {
	s, err := newService(ProviderBaidu, options, o.Token)
	return &Baidu{s, o.Token}, err
}

func (b *Baidu) job(a *Announcement) *job {
	return &job{kind: KindURLs, items: a.URLs, target: b.hostOf, size: BaiduBatch, zone: calendar.Shanghai}
}

func (b *Baidu) hostOf(item Item) (string, *Error) {
	u, err := url.Parse(item.URL)
	if err != nil {
		return "", b.invalidURL(item.URL)
	}
	return strings.ToLower(u.Host), nil
}

// Plan implements [Announcer].
func (b *Baidu) Plan(a *Announcement) iter.Seq2[Request, error] { return b.plan(b.job(a), b.call) }

func (b *Baidu) call(host string, items []Item) *call {
	return &call{
		method: http.MethodPost, contentType: textType, body: []byte(strings.Join(addresses(items), "\n")),
		url: baiduURL + "?site=" + url.QueryEscape(host) + "&token=" + url.QueryEscape(b.token),
	}
}

// Announce implements [Announcer]. It submits the URLs.
func (b *Baidu) Announce(ctx context.Context, a *Announcement) []Result {
	j := b.job(a)
	j.send = b.send
	return b.deliver(ctx, j)
}

func (b *Baidu) send(ctx context.Context, host string, items []Item) sendResult {
	var body struct {
		Remain      *int     `json:"remain"`
		Success     int      `json:"success"`
		NotSameSite []string `json:"not_same_site"`
		NotValid    []string `json:"not_valid"`
	}
	if e := b.exchangeJSON(ctx, b.call(host, items), b.judge, &body); e != nil {
		return sendResult{err: e}
	}
	s := sendResult{rejected: min(len(body.NotSameSite)+len(body.NotValid), len(items))}
	if s.rejected > 0 {
		s.note = "Baidu left out URLs of another site, or invalid ones, such as " +
			b.clean(append(body.NotSameSite, body.NotValid...)[0])
	}
	if body.Remain == nil {
		return s
	}
	q := Quota{Target: host, Kind: KindURLs, Left: *body.Remain}
	q.Since, q.Resets = calendar.Shanghai.Day(time.Now())
	if e := b.setQuota(context.WithoutCancel(ctx), q); e != nil {
		s.note = "the quota could not be recorded: " + e.Err.Error()
	}
	return s
}

// baiduReasons are the messages of Baidu's errors.
var baiduReasons = map[string]Reason{
	"site error":                       ReasonSiteMismatch,
	"empty content":                    ReasonEmpty,
	"only 2000 urls are allowed once":  ReasonTooManyURLs,
	"over quota":                       ReasonQuota,
	"token is not valid":               ReasonCredentials,
	"not found":                        ReasonNotFound,
	"internal error, please try later": ReasonServer,
}

// judge returns the error for an answer. Baidu reports errors in the body, whatever the
// status.
func (b *Baidu) judge(a *answer) *Error {
	var body struct {
		Error   int    `json:"error"`
		Message string `json:"message"`
	}
	err := json.Unmarshal(a.body, &body)
	switch reason, known := baiduReasons[body.Message]; {
	case err == nil && body.Error == 0 && a.status == http.StatusOK:
		return nil
	case known:
		return b.refused(a, reason, "", body.Message)
	case err == nil && body.Error != 0:
		return b.refused(a, reasonOf(body.Error), "", body.Message)
	case a.status == http.StatusOK:
		return b.refused(a, ReasonBadAnswer, "", textOf(a))
	}
	return b.refused(a, reasonOf(a.status), "", textOf(a))
}
