package crawl

import (
	"errors"
	"net/http"
	"strings"

	"github.com/mapatools/mapa/crawl/render"
)

// isUnsent reports whether the request was not sent, its answer not taken, or it was refused to a visitor without
// a password.
func isUnsent(e *render.Error) bool {
	if answered, is := errors.AsType[*render.StatusError](e.Err); is {
		return answered.Status == http.StatusUnauthorized || answered.Status == http.StatusForbidden
	}
	_, is := errors.AsType[*render.Refusal](e.Err)
	return is
}

// mayPass reports whether the request may succeed the next time, although nothing has changed on the site.
func mayPass(e *render.Error) bool {
	answered, is := errors.AsType[*render.StatusError](e.Err)
	if is {
		return answered.Status == http.StatusTooManyRequests || answered.Status >= http.StatusInternalServerError
	}
	return !isUnsent(e)
}

// A renderLack is the failure that says most about a page: what lacks of other sites, such as statistics, rarely is
// what the page shows.
type renderLack struct {
	failed *render.Error // nil if everything arrived
	isOwn  bool          // it is of the site itself
}

// findLack returns the failure that says most about a page.
func (s *state) findLack(document *render.Result) (worst renderLack) {
	most := 0
	for _, failed := range document.Failures {
		own, weight := s.renderTransport.isOwn(failed.URL), 1
		if !isUnsent(failed) {
			weight++
		}
		if own {
			weight += 2
		}
		if own && mayPass(failed) {
			weight++
		}
		if weight > most {
			most, worst = weight, renderLack{failed, own}
		}
	}
	return worst
}

// counts reports whether something of the site itself failed.
func (l *renderLack) counts() bool { return l.isOwn && !isUnsent(l.failed) }

// passes reports whether that may succeed the next time.
func (l *renderLack) passes() bool { return l.isOwn && mayPass(l.failed) }

// hidesContent reports whether a page without content is not to be listed because of a failure. In the second try it
// is listed all the same if the failure is the same in every crawl, or if pages with content have it, too.
func (l *renderLack) hidesContent(isTolerated, isKnown bool) bool {
	if l.passes() {
		return !isKnown || !isTolerated
	}
	return !isKnown && !isTolerated
}

// inconclusiveDetail says why the scripts of a page show nothing.
func (l *renderLack) inconclusiveDetail(document *render.Result) Detail {
	switch {
	case l.counts():
	case document.ScriptError != "":
		return NewDetail(DetailRenderScript, document.ScriptError)
	case l.failed == nil && document.Partial:
		return DetailRenderPartial
	case l.failed == nil:
		return DetailRenderEmpty
	}
	return requestDetail(l.failed)
}

// maxTolerated is how many failed requests are remembered.
const maxTolerated = 1000

// tolerates reports whether a request that failed is not what pages show: a page had content without it, as this one
// may have.
func (s *state) tolerates(failed *render.Error, hasContent bool) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	detail := requestDetail(failed)
	if hasContent {
		s.tolerateLocked(detail)
	}
	return s.tolerated[detail]
}

// tolerateLocked notes that a page has content without a request that failed.
func (s *state) tolerateLocked(failed Detail) {
	if failed != "" && len(s.tolerated) < maxTolerated {
		s.tolerated[failed] = true
	}
}

// maxRequestShown is how many bytes of the URL of a request are kept.
const maxRequestShown = 300

// requestDetail says which request failed, and why. The query is often another one in each visit.
func requestDetail(e *render.Error) Detail {
	address, _, _ := strings.Cut(e.URL, "?")
	address = strings.ToValidUTF8(address[:min(len(address), maxRequestShown)], "")
	return NewDetail(DetailRenderFailed, address+": "+e.Err.Error())
}

// lacks reports whether a page lacked the same.
func (r *Rendered) lacks(lacking Detail) bool {
	return r != nil && (r.Failure == lacking || r.Lacking == lacking)
}
