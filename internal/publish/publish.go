package publish

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/mapatools/mapa/sitemap"
)

// Page is a page to list.
type Page struct {
	sitemap.URL
	Title string // text of the title element
	Depth int    // links from the start; negative for an orphan page
}

// Output is a kind of file to write.
type Output string

// The outputs and the names of their files.
const (
	OutputXML  Output = "xml"  // sitemap.xml, or sitemap.xml.gz, with its parts and stylesheets
	OutputText Output = "txt"  // urllist.txt, then urllist-2.txt at the limits of the protocol
	OutputHTML Output = "html" // sitemap.html, then sitemap-2.html after 1,000 links
	OutputRSS  Output = "rss"  // rss.xml with the newest 50 pages
	OutputAtom Output = "atom" // atom.xml with the newest 50 pages
)

// outputTable is every output, in the order of publication, the sitemap last. files
// matches the names of its files. [run.open] opens them.
var outputTable = [...]struct {
	name  Output
	files *regexp.Regexp
}{
	{OutputText, regexp.MustCompile(`^urllist(-[0-9]+)?\.txt$`)},
	{OutputHTML, regexp.MustCompile(`^sitemap(-[0-9]+)?\.html$`)},
	{OutputRSS, regexp.MustCompile(`^rss\.xml$`)},
	{OutputAtom, regexp.MustCompile(`^atom\.xml$`)},
	{OutputXML, regexp.MustCompile(`^(sitemap(-([a-z0-9]+-)*[0-9]+[b-z]?)?\.xml(\.gz)?|\.sitemap\.parts)$`)},
}

// AllOutputs returns all outputs in the order of their publication, the sitemap last.
func AllOutputs() []Output {
	all := make([]Output, len(outputTable))
	for i := range outputTable {
		all[i] = outputTable[i].name
	}
	return all
}

// Options configure Run. Folder and Home are required.
type Options struct {
	// Folder is the folder of the files. Run creates it.
	Folder string
	// Home is the URL of the home page in the form of the pages' URLs.
	Home string
	// FolderURL is the URL that the folder is served at, with a slash at the end; empty
	// means the root of the host of Home.
	FolderURL string
	// Outputs are the kinds of files to write; empty means XML. Files of other
	// outputs in the folder stay as they are.
	Outputs []Output
	// Gzip compresses the XML sitemap.
	Gzip bool
	// Sets put pages into separate sitemaps: a page goes to sitemap-NAME-1.xml and so
	// on, where NAME is the value of the first rule that matches. See
	// [sitemap.Folder.Group] for valid names. The names images, news and videos are
	// reserved.
	Sets Rules[string]
	// Apart moves extensions into separate sitemaps.
	Apart Apart
	News  Publication
	// Hubs are the URLs of the WebSub hubs that the feeds name.
	Hubs    []string
	Weights Weights
	// MaxShrink is the percentage of the current sitemap's pages that the new one may
	// lose. Below 100, the sitemap must not lose its home page either. 100 publishes
	// in any case, unless there is no page.
	MaxShrink int
	// KeepLarger publishes nothing if the current sitemap has more pages, unless
	// MaxShrink is 100: it is that of a complete crawl, and the new one is not.
	KeepLarger bool
	// Stylesheet says how the XML sitemap looks in a browser; empty means
	// [StylesheetCSS].
	Stylesheet Stylesheet
	// Language is that of the HTML pages; empty means English.
	Language catalog.Language
	// BeforePublish, when set, is called before the first file gets its final name. After
	// an error of it nothing is published.
	BeforePublish func() error
}

// Published is the result of Run.
type Published struct {
	Pages   int      // listed pages, even if nothing was published
	Invalid int      // pages with a URL that no sitemap may hold
	Before  int      // pages of the sitemap that was in the folder
	Dropped int      // images, videos, articles and alternates that are invalid
	Files   []string // names of the first file of each output, the sitemap first
	Parts   []string // names of the files that the sitemap lists if it is an index
	Unused  []string // the rules of Options.Sets that no page matches, as NAME=PATTERN
}

// output writes one kind of file.
type output interface {
	write(*Page) error
	// prepare ends the files and syncs them to disk under temporary names.
	prepare() error
}

// run is the state of one Run.
type run struct {
	options  Options
	stage    *stage
	xml      *xmlOutput // nil if not selected
	outputs  []output   // including xml
	homeSeen bool
	done     Published
}

// Run writes the pages to the outputs. It changes a page that it writes. It publishes the
// files after the last page, each in one step and the sitemap last. After any error, such as
// [ErrEmpty] or a [*RefusedError], the folder stays as it was. Run removes temporary files
// of a run that was killed. Only one Run may use a folder at a time.
func Run(ctx context.Context, pages iter.Seq2[*Page, error], options *Options) (Published, error) {
	r, err := begin(options)
	if err != nil {
		return Published{}, err
	}
	err = r.writeAll(ctx, pages)
	for i, set := range options.Sets {
		if r.xml != nil && !r.xml.used[i] {
			r.done.Unused = append(r.done.Unused, set.Value+"="+set.Pattern.String())
		}
	}
	for _, o := range r.outputs {
		if err == nil {
			err = o.prepare()
		}
	}
	if err == nil {
		err = r.guard()
	}
	if err == nil && options.BeforePublish != nil {
		err = options.BeforePublish()
	}
	if err == nil {
		err = r.publish()
	}
	return r.done, errors.Join(err, r.abort())
}

// maxFileName is the length of the longest name of a published file, and a little more.
const maxFileName = 128

// CheckFolderURL returns an error unless the URLs of all files in a folder, which indexes
// and feeds name, can be listed.
func CheckFolderURL(address string) error {
	_, err := sitemap.EncodeLoc(address + strings.Repeat("x", maxFileName))
	return err
}

func begin(options *Options) (*run, error) {
	r := &run{options: *options}
	var err error
	if r.options.Home, err = sitemap.EncodeLoc(options.Home); err != nil {
		return nil, fmt.Errorf("publish: invalid URL of the home page %q: %w", options.Home, err)
	}
	if options.FolderURL != "" {
		if err := CheckFolderURL(options.FolderURL); err != nil {
			return nil, fmt.Errorf("publish: invalid URL of the folder %q: %w", options.FolderURL, err)
		}
	}
	if len(r.options.Outputs) == 0 {
		r.options.Outputs = []Output{OutputXML}
	}
	if r.stage, err = newStage(options.Folder); err != nil {
		return nil, err
	}
	if err := r.open(); err != nil {
		return nil, errors.Join(err, r.abort())
	}
	return r, nil
}

// open creates the outputs.
func (r *run) open() error {
	chosen := map[Output]bool{}
	for _, o := range r.options.Outputs {
		chosen[o] = true
	}
	home := r.options.Home
	host := urlnorm.Host(home)
	folder := cmp.Or(r.options.FolderURL, urlnorm.Origin(home)+"/")
	feeds := &feeds{home: home, folder: folder, hubs: r.options.Hubs, title: host}
	for _, o := range AllOutputs() {
		if !chosen[o] {
			continue
		}
		delete(chosen, o)
		switch o {
		case OutputText:
			r.outputs = append(r.outputs, &textOutput{files: r.stage.series("urllist", ".txt")})
		case OutputHTML:
			r.outputs = append(r.outputs, newHTMLOutput(r.stage.series("sitemap", ".html"), home, host, r.options.Language))
		case OutputRSS:
			feeds.add(r.stage.series("rss", ".xml"), sitemap.FormatRSS)
		case OutputAtom:
			feeds.add(r.stage.series("atom", ".xml"), sitemap.FormatAtom)
		case OutputXML:
			x, err := newXMLOutput(&r.options, folder)
			if err != nil {
				return err
			}
			r.xml = x
			r.outputs = append(r.outputs, x)
		default:
			return fmt.Errorf("publish: output %q cannot be opened", o)
		}
	}
	for unknown := range chosen {
		return fmt.Errorf("publish: unknown output %q", unknown)
	}
	if len(feeds.written) > 0 {
		r.outputs = append(r.outputs, feeds)
	}
	return nil
}

func sitemapName(gzip bool) string {
	if gzip {
		return "sitemap.xml.gz"
	}
	return "sitemap.xml"
}

func (r *run) writeAll(ctx context.Context, pages iter.Seq2[*Page, error]) error {
	for page, err := range pages {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = r.write(page)
		}
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// write writes a page to all outputs. It skips a page whose URL is invalid in one of
// them, so that all outputs list the same pages.
func (r *run) write(page *Page) error {
	if err := page.EncodeLoc(); err != nil {
		r.done.Invalid++
		return nil
	}
	if page.Title != "" {
		page.Title = plainTitle(page.Title)
	}
	r.options.Weights.apply(page)
	for _, o := range r.outputs {
		if err := o.write(page); err != nil {
			return fmt.Errorf("publish %s: %w", page.Loc, err)
		}
	}
	r.homeSeen = r.homeSeen || page.Loc == r.options.Home
	r.done.Pages++
	return nil
}

// publish moves the files into place.
func (r *run) publish() error {
	if err := r.stage.publish(); err != nil {
		return err
	}
	if r.xml != nil {
		if err := r.xml.folder.Close(); err != nil {
			return err
		}
		r.done.Dropped, r.done.Parts = r.xml.dropped, r.xml.folder.Parts()
		r.done.Files = append(r.done.Files, sitemapName(r.options.Gzip))
	}
	for _, files := range r.stage.all {
		if files.count > 0 {
			r.done.Files = append(r.done.Files, files.name(1))
		}
	}
	return r.stage.removeStale()
}

// abort removes temporary files.
func (r *run) abort() error {
	err := r.stage.abort()
	if r.xml != nil {
		err = errors.Join(err, r.xml.folder.Abort())
	}
	return err
}
