package announce

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/mapatools/mapa/announce/internal/calendar"
)

// The rules of IndexNow (https://www.indexnow.org/documentation and its FAQ).
const (
	// IndexNowBatch is the most URLs of one request.
	IndexNowBatch = 10_000
	// IndexNowCooldown is how long to wait before a URL is announced again.
	IndexNowCooldown = 10 * time.Minute

	indexNowURL = "https://api.indexnow.org/indexnow"

	minKey, maxKey = 8, 128
)

// An IndexNow announces changed URLs to the engines of IndexNow: Bing, Yandex, Naver,
// Seznam, Yep, Amazon and the Internet Archive share what one endpoint receives.
type IndexNow struct {
	*service
	key, location string
}

// IndexNowOptions configure an [IndexNow].
type IndexNowOptions struct {
	// Key is the key, which each host proves to own by a file.
	Key string
	// KeyLocation is the URL of the key file if it is not at the root of the host. It
	// then covers only the URLs of its host that are in its folder.
	KeyLocation string
}

// NewIndexNow returns an announcer. The key must be valid (see [CheckKeyForm]).
func NewIndexNow(o IndexNowOptions, options *Options) (*IndexNow, error) {
	if err := CheckKeyForm(o.Key); err != nil {
		return nil, err
	}
	if u, err := url.Parse(o.KeyLocation); o.KeyLocation != "" && (err != nil || u.Host == "") {
		return nil, errors.New("the location of the IndexNow key is not a URL")
	}
	s, err := newService(ProviderIndexNow, options, o.Key)
	return &IndexNow{s, o.Key, o.KeyLocation}, err
}

// ErrKeyForm means that a text cannot be a key of IndexNow.
var ErrKeyForm = errors.New("an IndexNow key has 8 to 128 characters: letters, digits and hyphens")

// CheckKeyForm returns ErrKeyForm unless a text can be a key of IndexNow.
func CheckKeyForm(key string) error {
	allowed := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-'
	}
	if len(key) < minKey || len(key) > maxKey || strings.TrimFunc(key, allowed) != "" ||
		strings.ContainsFunc(key, func(r rune) bool { return !allowed(r) }) {
		return ErrKeyForm
	}
	return nil
}

// NewKey returns a new key: 32 hexadecimal digits, which every engine accepts.
func NewKey() string {
	var random [16]byte
	_, _ = rand.Read(random[:]) // never fails
	return hex.EncodeToString(random[:])
}

// Plan implements [Announcer]. It plans one request for each host and 10,000 URLs.
func (n *IndexNow) Plan(a *Announcement) iter.Seq2[Request, error] {
	return n.plan(n.job(a), func(target string, items []Item) *call { return n.call(target, items) })
}

// Announce implements [Announcer]. It announces the URLs.
func (n *IndexNow) Announce(ctx context.Context, a *Announcement) []Result {
	j := n.job(a)
	j.send = n.send
	return n.deliver(ctx, j)
}

func (n *IndexNow) job(a *Announcement) *job {
	return &job{
		kind: KindURLs, items: a.URLs, target: n.hostOf, size: IndexNowBatch, cooldown: IndexNowCooldown, zone: calendar.UTC,
	}
}

// hostOf returns the host of an item, which the key must cover.
func (n *IndexNow) hostOf(item Item) (string, *Error) {
	u, err := url.Parse(item.URL)
	if err != nil {
		return "", n.invalidURL(item.URL)
	}
	host := strings.ToLower(u.Host)
	if n.location == "" {
		return host, nil
	}
	at, err := url.Parse(n.location)
	if err != nil || !strings.EqualFold(at.Host, host) ||
		!strings.HasPrefix(u.EscapedPath()+"/", strings.TrimSuffix(path.Dir(at.EscapedPath()), "/")+"/") {
		return host, &Error{Provider: n.provider, Reason: ReasonUnprocessable,
			Message: "the location of the key does not cover " + n.clean(item.URL)}
	}
	return host, nil
}

// call returns the request for the URLs of one host.
func (n *IndexNow) call(host string, items []Item) *call {
	return jsonCall(indexNowURL, struct {
		Host        string   `json:"host"`
		Key         string   `json:"key"`
		KeyLocation string   `json:"keyLocation,omitempty"`
		URLList     []string `json:"urlList"`
	}{host, n.key, n.location, addresses(items)})
}

func addresses(items []Item) []string {
	list := make([]string, 0, len(items))
	for _, item := range items {
		list = append(list, item.URL)
	}
	return list
}

func (n *IndexNow) send(ctx context.Context, host string, items []Item) sendResult {
	a, e := n.service.exchange(ctx, n.call(host, items), n.judge)
	switch {
	case e != nil:
		return sendResult{err: e}
	case a.status == http.StatusAccepted:
		return sendResult{pending: true, note: "received; the key is being verified"}
	}
	return sendResult{}
}

// judge returns the error for an answer, nil for a 202.
func (n *IndexNow) judge(a *answer) *Error {
	if a.status == http.StatusOK || a.status == http.StatusAccepted {
		return nil
	}
	var body struct {
		Code      string `json:"code"`
		ErrorCode string `json:"errorCode"`
		Message   string `json:"message"`
	}
	text := textOf(a)
	if json.Unmarshal(a.body, &body) == nil {
		text = body.Message
	}
	code := body.ErrorCode
	if code == "" {
		code = body.Code
	}
	return n.refused(a, indexNowReason(a.status, code), code, text)
}

func indexNowReason(status int, code string) Reason {
	switch {
	case status == http.StatusForbidden && code == "SiteVerificationNotCompleted":
		return ReasonKeyPending
	case status == http.StatusForbidden && code == "UserForbiddedToAccessSite": // spelled so
		return ReasonKeyRejected
	case status == http.StatusForbidden:
		return ReasonKeyInvalid
	case status == http.StatusUnprocessableEntity:
		return ReasonUnprocessable
	case status < 400:
		return ReasonBadAnswer
	}
	return reasonOf(status)
}
