package insight

import (
	"errors"
	"net/http"

	"github.com/mapatools/mapa/crawl"
)

// FailureVerdict returns the verdict of a crawl that has no result, because its start page gave
// an answer that cannot be used. It is nil for other errors: when there was no answer, there is
// nothing to judge.
func FailureVerdict(err error) *Verdict {
	if moved, is := errors.AsType[*crawl.MovedError](err); is {
		return &Verdict{
			Kind: Unusable, Cause: "site-other-host", Arguments: Arguments{moved.To, 1, 1}, Action: ActionCrawlOther,
		}
	}
	if forbidden, is := errors.AsType[*crawl.ForbiddenError](err); is && forbidden.Line > 0 {
		return &Verdict{Kind: Unusable, Cause: "site-robots-blocks-all", Action: ActionRobots}
	}
	start, is := errors.AsType[*crawl.StartError](err)
	if !is || start.Status == 0 {
		return nil
	}
	why := Why{Status: start.Status, Detail: crawl.NewDetail(crawl.DetailStatus, http.StatusText(start.Status))}
	v := &Verdict{Kind: Unusable, Cause: "site-start-broken", Arguments: Arguments{why}, Action: ActionFixStart}
	switch {
	case start.Status == http.StatusUnauthorized:
		v.Cause, v.Arguments, v.Action = "site-login", Arguments{start.URL}, ActionLogIn
	case start.Status == http.StatusOK && start.MediaType != "":
		v.Cause, v.Arguments = "site-start-not-html", Arguments{start.MediaType}
	}
	return v
}
