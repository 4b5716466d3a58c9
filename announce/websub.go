package announce

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"

	"github.com/mapatools/mapa/announce/internal/calendar"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/internal/websub"
)

// A WebSub tells hubs that feeds have changed (https://www.w3.org/TR/websub/#publishing).
type WebSub struct {
	*service
	hubs []string
}

// WebSubOptions configure a [WebSub].
type WebSubOptions struct {
	// Hubs are the URLs of hubs. When there are none, each feed is asked for its hubs.
	Hubs []string
}

var errHub = errors.New("a hub must be an http or https URL without user information")

// NewWebSub returns an announcer.
func NewWebSub(o WebSubOptions, options *Options) (*WebSub, error) {
	for _, hub := range o.Hubs {
		if u := urlnorm.ParseHTTP(hub); u == nil || u.User != nil {
			return nil, errHub
		}
	}
	s, err := newService(ProviderWebSub, options)
	return &WebSub{s, o.Hubs}, err
}

// publishCall names the topic by both parameters that hubs know: hub.url, and hub.topic.
func publishCall(hub, topic string) *call {
	form := url.Values{"hub.mode": {"publish"}, "hub.url": {topic}, "hub.topic": {topic}}
	return &call{method: http.MethodPost, url: hub, contentType: formType, body: []byte(form.Encode())}
}

// Plan implements [Announcer]. Where the feeds name their hubs, it is the requests to
// these that are not known yet.
func (w *WebSub) Plan(a *Announcement) iter.Seq2[Request, error] {
	var calls []*call
	for _, feed := range a.Feeds {
		hubs := w.hubs
		if len(hubs) == 0 {
			calls = append(calls, &call{method: http.MethodGet, url: feed.URL})
			hubs = []string{"{hub}"}
		}
		for _, hub := range hubs {
			calls = append(calls, publishCall(hub, feed.URL))
		}
	}
	return w.shownAll(calls...)
}

// Announce implements [Announcer]. It announces every feed to its hubs.
func (w *WebSub) Announce(ctx context.Context, a *Announcement) (results []Result) {
	for _, feed := range a.Feeds {
		hubs, e := w.hubsOf(ctx, feed.URL)
		if e != nil {
			r := Result{Provider: w.provider, Kind: KindFeed, Target: feed.URL}
			r.fail(e, 1)
			results = append(results, r)
		}
		for _, hub := range hubs {
			results = append(results, w.deliver(ctx, &job{
				kind: KindFeed, items: single(feed), size: 1, zone: calendar.UTC,
				target: func(Item) (string, *Error) { return hub, nil },
				send: func(ctx context.Context, _ string, items []Item) sendResult {
					_, e := w.exchange(ctx, publishCall(hub, items[0].URL), w.judge)
					return sendResult{err: e}
				},
			})...)
		}
	}
	return results
}

// judge returns the error for an answer. Any 2xx is a success.
func (w *WebSub) judge(a *answer) *Error {
	if a.status >= 200 && a.status < 300 {
		return nil
	}
	reason := reasonOf(a.status)
	switch reason {
	case ReasonPermission, ReasonCredentials, ReasonNotFound, ReasonBadRequest:
		reason = ReasonHub
	}
	return w.refused(a, reason, "", textOf(a))
}

func (w *WebSub) hubsOf(ctx context.Context, feed string) ([]string, *Error) {
	if len(w.hubs) > 0 {
		return w.hubs, nil
	}
	own := *w.service
	own.http = w.site // the feed is on the site, not at the endpoint
	a, e := own.send(ctx, &call{method: http.MethodGet, url: feed})
	if e != nil {
		return nil, e
	}
	if a.status != http.StatusOK {
		return nil, w.refused(a, reasonOf(a.status), "", "the feed cannot be read")
	}
	hubs := websub.Discover(a.header, a.body, feed).Hubs
	if len(hubs) == 0 {
		return nil, &Error{Provider: w.provider, Reason: ReasonNoHub, Message: "the feed names no hub: " + w.clean(feed)}
	}
	return hubs, nil
}
