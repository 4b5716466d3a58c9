package crawl

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/mapatools/mapa/internal/fetch"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// publicAddress maps between the address that is crawled, such as that of a preview,
// and the public address of the same site. Everything that a crawl keeps is public:
// links become public when they are made absolute, so that scope, keys, the store and
// every output need not know about the mapping. Only a request, and the robots.txt
// that allows it, use the crawled address. A nil publicAddress maps nothing.
type publicAddress struct{ crawled, public mount }

// mount is the part of a host that a site fills.
type mount struct {
	origin string // such as https://example.com
	host   string // without the default port
	folder string // the path that all pages begin with; it ends in a slash
}

func newMount(address *url.URL, folder string) mount {
	return mount{
		origin: address.Scheme + "://" + address.Host, host: withoutDefaultPort(address.Host), folder: folder,
	}
}

// newPublicAddress returns the mapping of a start to its public address, or nil if
// there is no base. The folder of the start is that of the base.
func newPublicAddress(start *url.URL, base string) (*publicAddress, error) {
	if base == "" {
		return nil, nil
	}
	normalized, err := urlnorm.NewBase([]byte(base))
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrBaseURL, base, errStartScheme)
	}
	public, err := url.Parse(normalized.String())
	if err != nil {
		return nil, fmt.Errorf("%w %s: %w", ErrBaseURL, base, err)
	}
	folder, crawled := public.EscapedPath(), cmp.Or(start.EscapedPath(), "/")
	if !strings.HasSuffix(folder, "/") {
		folder += "/"
		last := crawled[strings.LastIndexByte(crawled, '/'):]
		if last != "/" && strings.HasSuffix(folder, last+"/") {
			crawled += "/" // both name the folder without its slash
		}
	}
	crawled = crawled[:strings.LastIndexByte(crawled, '/')+1]
	return &publicAddress{newMount(start, crawled), newMount(public, folder)}, nil
}

// rest returns what follows the folder in a URL of the host, and whether it is in the
// folder. The folder without its slash is the folder.
func (m *mount) rest(path []byte) ([]byte, bool) {
	if rest, found := bytes.CutPrefix(path, []byte(m.folder)); found {
		return rest, true
	}
	rest, found := bytes.CutPrefix(path, []byte(m.folder[:len(m.folder)-1]))
	return rest, found && (len(rest) == 0 || rest[0] == '?')
}

// toPublic makes a normalized URL, which begins at from, public. A link that begins
// with a slash, or whose host is both, may mean either folder: the longer one that has
// its path counts.
func (m *publicAddress) toPublic(arena []byte, from int, link []byte) []byte {
	host, path := splitURL(arena[from:])
	isCrawled, isPublic := string(host) == m.crawled.host, string(host) == m.public.host
	if !isCrawled && !isPublic {
		return arena
	}
	if isPublic && isRootRelative(link) {
		isCrawled = true
	}
	inCrawled, underCrawled := m.crawled.rest(path)
	inPublic, underPublic := m.public.rest(path)
	var rest []byte
	switch {
	case isPublic && underPublic && (!isCrawled || !underCrawled || len(m.public.folder) >= len(m.crawled.folder)):
		rest = inPublic
	case isCrawled && underCrawled:
		rest = inCrawled
	default:
		return arena
	}
	rest = bytes.Clone(rest) // it is a part of what is overwritten
	arena = append(append(arena[:from], m.public.origin...), m.public.folder...)
	return append(arena, rest...)
}

// isRootRelative reports whether a link is a path from the root of the host.
func isRootRelative(link []byte) bool {
	return len(link) > 0 && link[0] == '/' && (len(link) == 1 || link[1] != '/' && link[1] != '\\')
}

// toCrawled returns the URL to request for a public one.
func (m *publicAddress) toCrawled(address string) string {
	if m == nil {
		return address
	}
	host, path := splitURL([]byte(address))
	if string(host) != m.public.host {
		return address
	}
	rest, found := m.public.rest(path)
	if !found {
		return address
	}
	return m.crawled.origin + m.crawled.folder + string(rest)
}

// onPublicHost reports whether a URL is on the host of the public site, which gets no
// request.
func (m *publicAddress) onPublicHost(address []byte) bool {
	if m == nil || m.public.host == m.crawled.host {
		return false
	}
	host, _ := splitURL(address)
	return string(host) == m.public.host
}

// siteClient requests public URLs at the address that is crawled.
type siteClient struct {
	*fetch.Client
	address *publicAddress
}

// Fetch implements [fetch.Fetcher].
func (c *siteClient) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	return (&mappedFetcher{c.Client, c.address}).Fetch(ctx, req)
}

// mappedFetcher gives next the address that is crawled of every public URL, so that
// next can match it against the robots.txt there. The public site gets no request.
type mappedFetcher struct {
	next    fetch.Fetcher
	address *publicAddress
}

// Fetch implements [fetch.Fetcher].
func (m *mappedFetcher) Fetch(ctx context.Context, req *fetch.Request) (*fetch.Response, error) {
	if m.address == nil {
		return m.next.Fetch(ctx, req)
	}
	mapped := *req
	mapped.URL = m.address.toCrawled(req.URL)
	if m.address.onPublicHost([]byte(mapped.URL)) {
		return nil, &fetch.Error{URL: req.URL, Kind: fetch.KindBlocked}
	}
	response, err := m.next.Fetch(ctx, &mapped)
	if response != nil && strings.HasPrefix(response.RedirectTo, "http") &&
		!m.address.leavesScheme(response.RedirectTo) {
		response.RedirectTo = m.address.publicURL(response.RedirectTo)
	}
	return response, err
}

// leavesScheme reports whether a redirect leads to the crawled host by the other scheme,
// http or https.
func (m *publicAddress) leavesScheme(to string) bool {
	host, _ := splitURL([]byte(to))
	return withoutDefaultPort(string(host)) == m.crawled.host && m.crawled.host != m.public.host &&
		!strings.HasPrefix(to, m.crawled.origin[:strings.IndexByte(m.crawled.origin, ':')+1])
}

// publicURL makes an absolute URL public, whatever its spelling.
func (m *publicAddress) publicURL(address string) string {
	if m == nil {
		return address
	}
	n := normalizer{site: &site{address: m}}
	if public := n.absolute([]byte(m.public.origin+m.public.folder), []byte(address)); public != nil {
		return string(public)
	}
	return address
}

// A siteStream requests the public URLs of sitemaps in the same way.
type siteStream struct {
	fetch.Stream
	address *publicAddress
	reads   func(url string) error // called before every request, with its public URL; may be nil
}

// Admit implements [fetch.Stream].
func (s *siteStream) Admit(r *http.Request) error {
	if s.reads != nil {
		if err := s.reads(r.URL.String()); err != nil {
			return err
		}
	}
	mapped, err := s.mapped(r)
	if err != nil {
		return err
	}
	return s.Stream.Admit(mapped)
}

// RoundTrip implements [http.RoundTripper].
func (s *siteStream) RoundTrip(r *http.Request) (*http.Response, error) {
	mapped, err := s.mapped(r)
	if err != nil {
		return nil, err
	}
	response, err := s.Stream.RoundTrip(mapped)
	if err != nil {
		return nil, err
	}
	response.Request = r
	return response, nil
}

// mapped returns a request for the address that is crawled.
func (s *siteStream) mapped(r *http.Request) (*http.Request, error) {
	if s.address == nil {
		return r, nil
	}
	address := s.address.toCrawled(r.URL.String())
	if s.address.onPublicHost([]byte(address)) {
		return nil, &fetch.Error{URL: address, Kind: fetch.KindBlocked}
	}
	mapped := r.Clone(r.Context())
	var err error
	if mapped.URL, err = url.Parse(address); err != nil {
		return nil, err
	}
	mapped.Host = mapped.URL.Host
	return mapped, nil
}
