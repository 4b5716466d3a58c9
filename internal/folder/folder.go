// Package folder answers requests for a website from the folder that a static site
// generator wrote, as a web host would: without a socket, with the rules for
// index.html, 404.html, and the files _redirects and _headers of Netlify and Cloudflare
// Pages. It lists the pages of the folder, and says when git changed them last.
package folder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/urlnorm"
)

// Options configure a [Site].
type Options struct {
	// URL is the public URL of the folder, such as https://example.com/docs/.
	URL string
	// CleanURLs serves about.html as /about, and redirects /about.html there; nil means
	// where the links of the site need it.
	CleanURLs *bool
}

// A Site is an open folder. It is an [http.RoundTripper], and safe for concurrent use.
// No symbolic link leads out of the folder.
type Site struct {
	root      *os.Root
	origin    string // of its URLs
	path      string // begins and ends with a slash
	clean     bool
	withIndex bool // the pages link to x/index.html, not to x/
	redirects []redirect
	headers   []headerRule
	notFound  bool // there is a 404.html
	places    places
}

// ErrNoIndex says that a folder has no index.html, so that the site has no home page.
var ErrNoIndex = errors.New("no index.html in the folder")

// Open opens a folder. The caller must close it.
func Open(name string, options *Options) (*Site, error) {
	public, err := url.Parse(options.URL)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	s := &Site{root: root, origin: urlnorm.Origin(options.URL), path: "/" + strings.Trim(public.Path, "/") + "/"}
	if s.path == "//" {
		s.path = "/"
	}
	if err := s.read(); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), root.Close())
	}
	if options.CleanURLs != nil {
		s.clean = *options.CleanURLs
	} else {
		s.clean = s.needsCleanURLs()
	}
	s.withIndex = !s.clean && s.linksWithIndex()
	return s, nil
}

// CleanURLs reports whether about.html is served as /about.
func (s *Site) CleanURLs() bool { return s.clean }

// read reads the files with the rules of the site.
func (s *Site) read() (err error) {
	if s.redirects, err = readRules(s.root, redirectsName, parseRedirects); err != nil {
		return err
	}
	if s.headers, err = readRules(s.root, headersName, parseHeaders); err != nil {
		return err
	}
	if s.indexIn("") == "" {
		return ErrNoIndex
	}
	s.notFound = s.isFile(notFoundName)
	return nil
}

// Close closes the folder.
func (s *Site) Close() error { return s.root.Close() }

// indexNames are the names of the file that is served for a folder; the first that exists counts.
var indexNames = []string{"index.html", "index.htm"}

// The files that are not served at their own names.
const (
	notFoundName  = "404.html"
	redirectsName = "_redirects"
	headersName   = "_headers"
)

// RoundTrip implements [http.RoundTripper].
func (s *Site) RoundTrip(r *http.Request) (*http.Response, error) {
	response := s.respond(r.URL)
	response.Request, response.Proto, response.ProtoMajor, response.ProtoMinor = r, "HTTP/1.1", 1, 1
	response.Status = fmt.Sprintf("%d %s", response.StatusCode, http.StatusText(response.StatusCode))
	for _, rule := range s.headers {
		rule.apply(r.URL.Path, response.Header)
	}
	if r.Method == http.MethodHead {
		response.Body.Close()
		response.Body = http.NoBody
	}
	return response, nil
}

// respond finds the file or the redirect for a URL.
func (s *Site) respond(u *url.URL) *http.Response {
	if rule, target := s.redirect(u.Path, true); rule != nil {
		return s.follow(rule, target, u)
	}
	at := s.place([]byte(u.Path))
	if at.name != "" {
		return s.serve(at.name, http.StatusOK)
	}
	if at.redirect != "" {
		return redirectTo(at.redirect, u, http.StatusMovedPermanently)
	}
	if rule, target := s.redirect(u.Path, false); rule != nil {
		return s.follow(rule, target, u)
	}
	return s.missing()
}

// missing answers with the site's own page for missing ones, if it has one.
func (s *Site) missing() *http.Response {
	if s.notFound {
		return s.serve(notFoundName, http.StatusNotFound)
	}
	return answer(http.StatusNotFound)
}

// follow answers a request by a rule of _redirects.
func (s *Site) follow(rule *redirect, target string, u *url.URL) *http.Response {
	if rule.status >= 300 && rule.status < 400 {
		return redirectTo(target, u, rule.status)
	}
	inner, err := url.Parse(target)
	if err != nil || inner.Host != "" { // a proxy to another host
		return answer(http.StatusBadGateway)
	}
	name, _ := s.find(inner.Path)
	if name == "" {
		return s.missing()
	}
	return s.serve(name, rule.status)
}

// find returns the name of the file for a path, or the path that it redirects to.
func (s *Site) find(requested string) (name, redirect string) {
	inner, found := strings.CutPrefix(requested, s.path)
	if requested+"/" == s.path {
		return "", s.path
	}
	if !found || inner == redirectsName || inner == headersName || !isClean(inner) {
		return "", ""
	}
	if inner == "" || strings.HasSuffix(inner, "/") {
		return s.findIndex(inner, requested)
	}
	if s.clean {
		if plain, isHTML := strings.CutSuffix(requested, ".html"); isHTML && inner != notFoundName && s.isFile(inner) {
			return "", strings.TrimSuffix(plain, "index")
		}
		if s.isFile(inner + ".html") {
			return inner + ".html", ""
		}
	}
	switch {
	case s.isFile(inner):
		return inner, ""
	case s.indexIn(inner+"/") != "":
		return "", requested + "/"
	}
	return "", ""
}

// findIndex finds the file for a path that ends in a slash.
func (s *Site) findIndex(inner, requested string) (name, redirect string) {
	if index := s.indexIn(inner); index != "" {
		return index, ""
	}
	if s.clean && inner != "" && s.isFile(strings.TrimSuffix(inner, "/")+".html") {
		return "", strings.TrimSuffix(requested, "/")
	}
	return "", ""
}

// indexIn returns the file that is served for a folder, whose name is empty or ends in a slash, or "".
func (s *Site) indexIn(folder string) string {
	for _, name := range indexNames {
		if s.isFile(folder + name) {
			return folder + name
		}
	}
	return ""
}

// isIndex reports whether a file is the one that is served for its folder.
func (s *Site) isIndex(name string) bool {
	folder, base := path.Split(name)
	return slices.Contains(indexNames, base) && s.indexIn(folder) == name
}

// isClean reports whether a path has no empty segments and no dots to follow.
func isClean(inner string) bool {
	trimmed := strings.TrimSuffix(inner, "/")
	if inner == "" {
		return true
	}
	return fs.ValidPath(trimmed) && trimmed != "." && !strings.ContainsAny(trimmed, "\\\x00")
}

// isFile reports whether a name, in this case, is that of a regular file.
func (s *Site) isFile(name string) bool {
	info, err := s.root.Stat(filepath.FromSlash(name))
	return err == nil && info.Mode().IsRegular() && s.hasCase(name)
}

// serve answers with a file.
func (s *Site) serve(name string, status int) *http.Response {
	file, err := s.root.Open(filepath.FromSlash(name))
	if err != nil {
		return answer(http.StatusInternalServerError)
	}
	info, err := file.Stat()
	if err != nil || !info.Mode().IsRegular() {
		file.Close()
		return answer(http.StatusInternalServerError)
	}
	response := answer(status)
	response.Body, response.ContentLength = file, info.Size()
	response.Header.Set("Content-Type", mediaType(name))
	if name == "robots.txt" {
		response.Body, response.ContentLength = withoutSitemaps(file), -1
	}
	return response
}

// withoutSitemaps returns a robots.txt without its Sitemap lines: the sitemaps in the
// folder may be those of an earlier build.
func withoutSitemaps(file io.ReadCloser) io.ReadCloser {
	defer file.Close()
	const most = 1 << 20 // more than anybody reads of a robots.txt
	text, err := io.ReadAll(io.LimitReader(file, most))
	if err != nil {
		return http.NoBody
	}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		key, _, _ := strings.Cut(line, ":")
		if !strings.EqualFold(strings.TrimSpace(key), "sitemap") {
			kept.WriteString(line)
		}
	}
	return io.NopCloser(strings.NewReader(kept.String()))
}

// mediaTypes are those of files that systems disagree about.
var mediaTypes = map[string]string{
	"": "application/octet-stream", ".html": "text/html; charset=utf-8", ".htm": "text/html; charset=utf-8",
	".xhtml": "application/xhtml+xml", ".xml": "application/xml", ".rss": "application/rss+xml",
	".atom": "application/atom+xml", ".txt": "text/plain; charset=utf-8", ".pdf": "application/pdf",
	".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml",
}

func mediaType(name string) string {
	ending := strings.ToLower(path.Ext(name))
	if media, ok := mediaTypes[ending]; ok {
		return media
	}
	if media := mime.TypeByExtension(ending); media != "" {
		return media
	}
	return mediaTypes[""]
}

// answer returns a response without a body.
func answer(status int) *http.Response {
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody}
}

// redirectTo returns a redirect. The query of the request stays.
func redirectTo(target string, u *url.URL, status int) *http.Response {
	response := answer(status)
	if parsed, err := url.Parse(target); err == nil {
		target = parsed.String() // with spaces and the like escaped
	}
	if u.RawQuery != "" && !strings.Contains(target, "?") {
		target += "?" + u.RawQuery
	}
	response.Header.Set("Location", target)
	return response
}
