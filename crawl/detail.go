package crawl

import (
	"errors"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/robots"
	"github.com/mapatools/mapa/sitemap"
)

// Detail explains a [Reason] to a program: a code, such as [DetailDisallowed], and its
// arguments, each after a tab. Codes are stable; arguments are texts from outside, such as
// a URL or a line of robots.txt, or the code of another detail with its arguments. A
// [Store] keeps it as it is.
type Detail string

// detailSeparator precedes every argument.
const detailSeparator = "\t"

// NewDetail returns the detail with a code and arguments. Tabs and line ends in an
// argument become spaces.
func NewDetail(code Detail, arguments ...string) Detail {
	size := len(code) + len(arguments)*len(detailSeparator)
	for _, argument := range arguments {
		size += len(argument)
	}
	var b strings.Builder
	b.Grow(size)
	b.WriteString(string(code))
	for _, argument := range arguments {
		b.WriteString(detailSeparator)
		for i := range len(argument) {
			switch c := argument[i]; c {
			case '\t', '\n', '\r':
				b.WriteByte(' ')
			default:
				b.WriteByte(c)
			}
		}
	}
	return Detail(b.String())
}

// nest returns the detail with a code whose arguments are another detail.
func nest(code, detail Detail) Detail { return code + detailSeparator + detail }

// textDetail returns the detail with a code and a text from outside, or "" without one.
func textDetail(code Detail, text string) Detail {
	if text == "" {
		return ""
	}
	return NewDetail(code, text)
}

// BackFrom returns the [Page].Conflict of a page that is listed although it names another URL as
// canonical, since that redirects back to it: DetailElementBack for DetailLinkElement, and
// DetailHeaderBack for DetailLinkHeader.
func (d Detail) BackFrom(canonical string) Detail { return NewDetail(d.Code()+backEnding, canonical) }

const backEnding = "-back"

// cutBack returns the arguments of BackFrom, or false for another detail.
func (d Detail) cutBack() (from Detail, canonical string, ok bool) {
	code, arguments := d.Split()
	code, ok = strings.CutSuffix(code, backEnding)
	if !ok || len(arguments) != 1 {
		return "", "", false
	}
	return Detail(code), arguments[0], true
}

// Code returns the detail without its arguments.
func (d Detail) Code() Detail {
	code, _, _ := strings.Cut(string(d), detailSeparator)
	return Detail(code)
}

// Split returns the code and the arguments.
func (d Detail) Split() (code string, arguments []string) {
	parts := strings.Split(string(d), detailSeparator)
	return parts[0], parts[1:]
}

// String returns the detail in English words.
func (d Detail) String() string { return catalog.For(catalog.English).Detail(d.Split()) }

// robotsDetail returns the rule of robots.txt that disallows a URL, or why everything is
// disallowed.
func robotsDetail(v robots.Verdict) Detail {
	switch {
	case v.Rule != "":
		return NewDetail(DetailDisallowed, strconv.Itoa(v.Line), v.Rule)
	case v.Cause == robots.CauseStatus:
		return nest(DetailRobotsRefused, NewDetail(DetailRobotsAnswered, strconv.Itoa(v.Status)))
	}
	return nest(DetailRobotsRefused, NewDetail(DetailError, v.Reason))
}

// refusalDetail says why robots.txt keeps a request from being sent.
func refusalDetail(refused *fetch.RobotsError) Detail {
	if refused.Delay > 0 {
		return NewDetail(DetailLongDelay, refused.Delay.String())
	}
	return robotsDetail(refused.Verdict)
}

// robotsFailure says why robots.txt could not be fetched. It names the file only if
// the host is not the problem.
func robotsFailure(err error) Detail {
	for _, hostFailure := range []fetch.Kind{
		fetch.KindNoHost, fetch.KindDNS, fetch.KindRefused, fetch.KindUnreachable, fetch.KindProxy, fetch.KindTLS,
		fetch.KindConnectTimeout, fetch.KindHandshakeTimeout,
	} {
		if errors.Is(err, hostFailure) {
			return kindDetail(hostFailure)
		}
	}
	return nest(DetailRobotsFailed, failureDetail(err))
}

// failureDetail says why a request has no response.
func failureDetail(err error) Detail {
	if failed, ok := errors.AsType[*fetch.Error](err); ok {
		return kindDetail(failed.Kind)
	}
	return NewDetail(DetailError, err.Error())
}

// kindDetail returns the code of a failure, such as "failure.total-timeout".
func kindDetail(kind fetch.Kind) Detail { return Detail(failurePrefix + kind.Code()) }

// failurePrefix begins the codes of failures.
const failurePrefix = "failure."

// locDetail says why no sitemap may contain a URL.
func locDetail(err error) Detail {
	switch {
	case errors.Is(err, sitemap.ErrTooLong):
		return NewDetail(DetailTooLong, strconv.Itoa(sitemap.MaxLocLength))
	case errors.Is(err, sitemap.ErrHost):
		return DetailInvalidHost
	}
	return NewDetail(DetailError, err.Error())
}
