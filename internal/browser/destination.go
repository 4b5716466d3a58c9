package browser

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// A destination is what the browser needs an answer for, in the words of Sec-Fetch-Dest.
type destination string

const (
	forDocument destination = "document"
	forFrame    destination = "iframe"
	forScript   destination = "script"
	forStyle    destination = "style"
	forImage    destination = "image"
	forMedia    destination = "video"
	forFetch    destination = "empty"
)

// unwanted are the destinations whose answers change no text or link.
var unwanted = []destination{
	forImage, forMedia, "audio", "track", "font", "object", "embed", "manifest", "report", "speculationrules",
	"serviceworker", "webidentity", "json-ld",
}

// findDestination returns the destination of a request. For http, the browser does not name it: the
// other headers differ enough.
func findDestination(r *http.Request) destination {
	named := destination(r.Header.Get("Sec-Fetch-Dest"))
	accept := r.Header.Get("Accept")
	switch {
	case r.Header.Get("Service-Worker") != "":
		return "serviceworker"
	case named == "frame", named == "fencedframe":
		return forFrame
	case named != "":
		return named
	case r.Header.Get("Upgrade-Insecure-Requests") != "":
		return forFrame
	case strings.HasPrefix(accept, "text/css"):
		return forStyle
	case strings.HasPrefix(accept, "image/"):
		return forImage
	case strings.HasPrefix(r.Header.Get("Accept-Encoding"), "identity"):
		return forMedia
	case slices.Contains([]string{".js", ".mjs"}, path.Ext(r.URL.Path)):
		return forScript
	case path.Ext(r.URL.Path) == ".css":
		return forStyle
	}
	return forFetch
}

// isRefused reports whether nobody may see a request: what it asks for is not needed, it would change
// something, or it belongs to a page that is not open.
func isRefused(r *http.Request, to destination) bool {
	return slices.Contains(unwanted, to) || r.Header.Get("Upgrade") != "" ||
		strings.Contains(r.Header.Get("Sec-Purpose")+r.Header.Get("Purpose"), "prefetch")
}

// hopHeaders concern one connection or the proxy.
var hopHeaders = []string{
	"Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Proxy-Connection", "Te", "Trailer",
	"Transfer-Encoding", "Upgrade",
}

// lastingHeaders would have an effect on later pages, make the browser send requests of its own, or
// ask a person.
var lastingHeaders = []string{
	"Accept-Ch", "Alt-Svc", "Clear-Site-Data", "Content-Security-Policy-Report-Only", "Critical-Ch", "Nel", "Refresh",
	"Report-To", "Reporting-Endpoints", "Speculation-Rules", "Strict-Transport-Security", "Www-Authenticate",
}

// copyHeader returns a header without what concerns the connection.
func copyHeader(header http.Header) http.Header {
	if header = header.Clone(); header == nil {
		header = http.Header{}
	}
	for _, name := range hopHeaders {
		header.Del(name)
	}
	return header
}

// answerHeader returns the header of an answer for the browser. Scripts and style sheets are kept by
// the browser for the run, everything else is not, nor what depends on who asks: a frame of another
// origin shares what the browser keeps.
func answerHeader(header http.Header, isPrivate bool) http.Header {
	header = copyHeader(header)
	for _, name := range lastingHeaders {
		header.Del(name)
	}
	for _, name := range []string{"Age", "Date", "Etag", "Expires", "Last-Modified", "Pragma"} {
		header.Del(name)
	}
	header.Set("Cache-Control", "no-store")
	if isScriptOrStyle(header) && !isPrivate {
		header.Set("Cache-Control", "max-age=86400")
	}
	return header
}
