package publish

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/mapatools/mapa/sitemap"
)

// A Page is a page to be listed.
type Page struct {
	sitemap.URL
	Title   string // as the page has it
	Depth   int    // links from the start; negative where none lead here
	Inlinks int    // pages that link here; for [ByLinks]
}

// An Output is a kind of files that the folder gets.
type Output string

// The outputs, with the names of their files.
const (
	OutputXML  Output = "xml"  // sitemap.xml, or sitemap.xml.gz, with its parts and stylesheets
	OutputText Output = "txt"  // urllist.txt, then urllist-2.txt at the limits of the protocol
	OutputHTML Output = "html" // sitemap.html, then sitemap-2.html after 1,000 links
	OutputRSS  Output = "rss"  // rss.xml of the newest 50 pages
	OutputAtom Output = "atom" // atom.xml of the newest 50 pages
	OutputROR  Output = "ror"  // ror.xml
)

// AllOutputs are the outputs in the order in which they are put in place, which
// ends with the sitemap.
func AllOutputs() []Output {
	return []Output{OutputText, OutputHTML, OutputRSS, OutputAtom, OutputROR, OutputXML}
}

// Options say what to publish. Folder and Home are required.
type Options struct {
	// Folder gets the files and is made if need be.
	Folder string
	// Home is the address that the pages were found from, spelled as their own
	// addresses are. The files are taken to be found at the root of its host.
	Home string
	// Outputs are the kinds of files; XML alone when empty. What an output wrote
	// before stays as it is when the output is not chosen any more.
	Outputs []Output
	// Gzip compresses the XML sitemap.
	Gzip bool
	// Sets give pages sitemaps of their own, by the name of the first rule that
	// matches: sitemap-NAME-1.xml and so on. See [sitemap.Folder.Group] for what
	// a name may be; images, news and videos are taken.
	Sets Rules[string]
	// Apart moves extensions into sitemaps of their own.
	Apart   Apart
	News    Publication
	Weights Weights
	// MaxShrink is how many percent of the pages in the folder's present set the
	// new one may lack. Up to 99, the set may not lose its home page either; 100
	// publishes whatever comes.
	MaxShrink int
}

// Published says what has been done.
type Published struct {
	Pages   int      // listed, or to be listed where nothing was published
	Invalid int      // pages whose address no sitemap may hold
	Dropped int      // images, videos, articles and alternates that may not be written
	Files   []string // the first file of each output by its name in the folder, the sitemap before the others
}

// An output is what becomes of one kind of files.
type output interface {
	write(*Page) error
	// prepare ends the writing: all is on the disk, under temporary names.
	prepare() error
}

// A run is one use of Run.
type run struct {
	options  Options
	stage    *stage
	xml      *xmlOutput // nil when not chosen
	outputs  []output   // xml among them
	homeSeen bool
	done     Published
}

// Run writes the pages to the outputs. They are put in place after the last page,
// each file in one step and the sitemap last, and not at all after an error: that
// of the pages, a [*RefusedError], one of the context or of the disk. Then the
// folder is as it was before. What a killed run leaves, the next one removes. Only
// one Run may use a folder at a time.
func Run(ctx context.Context, pages iter.Seq2[*Page, error], options *Options) (Published, error) {
	r, err := begin(options)
	if err != nil {
		return Published{}, err
	}
	err = r.writeAll(ctx, pages)
	for _, o := range r.outputs {
		if err == nil {
			err = o.prepare()
		}
	}
	if err == nil {
		err = r.guard()
	}
	if err == nil {
		err = r.publish()
	}
	return r.done, errors.Join(err, r.abort())
}

func begin(options *Options) (*run, error) {
	r := &run{options: *options}
	var err error
	if r.options.Home, err = sitemap.EncodeLoc(options.Home); err != nil {
		return nil, fmt.Errorf("publishing: the home page %q is no address: %w", options.Home, err)
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

// open makes the outputs.
func (r *run) open() error {
	chosen := map[Output]bool{}
	for _, o := range r.options.Outputs {
		chosen[o] = true
	}
	home := r.options.Home
	origin, _ := splitURL(home)
	host := hostOf(home)
	feeds := newFeeds(home, host)
	for _, o := range AllOutputs() {
		if !chosen[o] {
			continue
		}
		delete(chosen, o)
		switch o {
		case OutputText:
			r.outputs = append(r.outputs, newTextOutput(r.stage.series("urllist", ".txt")))
		case OutputHTML:
			r.outputs = append(r.outputs, newHTMLOutput(r.stage.series("sitemap", ".html"), home, host))
		case OutputRSS:
			feeds.add(r.stage.series("rss", ".xml"), sitemap.FormatRSS)
		case OutputAtom:
			feeds.add(r.stage.series("atom", ".xml"), sitemap.FormatAtom)
		case OutputROR:
			r.outputs = append(r.outputs, newROROutput(r.stage.series("ror", ".xml"), home))
		case OutputXML:
			x, err := newXMLOutput(&r.options, origin+"/")
			if err != nil {
				return err
			}
			r.xml = x
			r.outputs = append(r.outputs, x)
		}
	}
	for unknown := range chosen {
		return fmt.Errorf("publishing: there is no output %q", unknown)
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

// write hands a page to all outputs, unless its address cannot stand in one of
// them, so that they all list the same.
func (r *run) write(given *Page) error {
	page := *given
	loc, err := sitemap.EncodeLoc(page.Loc)
	if err != nil {
		r.done.Invalid++
		return nil
	}
	page.Loc = loc
	page.Title = plainTitle(page.Title)
	r.options.Weights.apply(&page)
	for _, o := range r.outputs {
		if err := o.write(&page); err != nil {
			return fmt.Errorf("publishing %s: %w", page.Loc, err)
		}
	}
	r.homeSeen = r.homeSeen || page.Loc == r.options.Home
	r.done.Pages++
	return nil
}

// publish puts everything in place.
func (r *run) publish() error {
	if err := r.stage.publish(); err != nil {
		return err
	}
	if r.xml != nil {
		if err := r.xml.folder.Close(); err != nil {
			return err
		}
		r.done.Dropped = r.xml.dropped
		r.done.Files = append(r.done.Files, sitemapName(r.options.Gzip))
	}
	for _, files := range r.stage.all {
		if files.count > 0 {
			r.done.Files = append(r.done.Files, files.name(1))
		}
	}
	return r.stage.removeStale()
}

// abort removes what is not in place.
func (r *run) abort() error {
	err := r.stage.abort()
	if r.xml != nil {
		err = errors.Join(err, r.xml.folder.Abort())
	}
	return err
}
