package lint

import (
	"context"
	"net/url"

	"github.com/mapatools/mapa/lint/internal/sample"
)

// checkSite applies the rules about what the site answers: those about robots.txt,
// then those about pages.
func (r *run) checkSite(ctx context.Context, out *output) error {
	reporter := &liveReporter{run: r, output: out, files: map[string]*fileReporter{}}
	for _, check := range []func(context.Context, *liveReporter) error{r.checkHosts, r.checkPages} {
		if err := check(ctx, reporter); err != nil || out.refused {
			return err
		}
	}
	reporter.end()
	return nil
}

// checkHosts applies the rules about robots.txt, host by host in the order of the
// files.
func (r *run) checkHosts(ctx context.Context, reporter *liveReporter) error {
	if len(r.selection.host) == 0 {
		return nil
	}
	hosts := r.hosts(ctx)
	for i, h := range hosts {
		hosts[i] = nil // its robots.txt may be large
		if !h.read() {
			continue
		}
		for _, each := range r.selection.host {
			h.check(each)
		}
		for _, f := range h.findings {
			reporter.add(f.File, f)
		}
		if reporter.output.refused || ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// hosts returns the hosts of the files that were checked.
func (r *run) hosts(ctx context.Context) (hosts []*hostCheck) {
	known := map[string]*hostCheck{}
	for _, file := range r.files {
		if file.scope.Address == nil {
			continue
		}
		address := file.scope.Address.ResolveReference(&url.URL{Path: "/robots.txt"})
		h := known[address.String()]
		if h == nil {
			if len(hosts) == maxHosts {
				continue
			}
			h = &hostCheck{address: address, ctx: ctx, site: r.site}
			known[address.String()] = h
			hosts = append(hosts, h)
		}
		h.files = append(h.files, file)
	}
	return hosts
}

// checkPages applies the rules about what the site answers for the pages of the
// sample.
func (r *run) checkPages(ctx context.Context, reporter *liveReporter) error {
	if r.sample == nil {
		return ctx.Err()
	}
	type result struct {
		file  string
		found []Finding
	}
	check := func(ctx context.Context, file uint32, listing *sample.Listing) result {
		page := &pageCheck{Listing: listing, options: &r.options, site: r.site, ctx: ctx, chains: map[string]*chain{}}
		for _, each := range r.selection.page {
			if ctx.Err() != nil {
				break
			}
			page.check(each)
		}
		return result{r.files[file].location, page.findings}
	}
	return sample.Check(ctx, r.sample, r.options.Concurrency, check, func(found result) bool {
		for _, f := range found.found {
			reporter.add(found.file, f)
		}
		return !reporter.output.refused
	})
}

// liveReporter counts and delivers the findings about what a site answers, which
// do not come file by file.
type liveReporter struct {
	run    *run
	output *output
	files  map[string]*fileReporter
	order  []liveGroup // by the first finding
}

type liveGroup struct {
	file *fileReporter
	rule *Rule
}

// add counts a finding of a file and delivers one of the first.
func (l *liveReporter) add(file string, f Finding) {
	reporter := l.files[file]
	if reporter == nil {
		reporter = l.run.reporter(file, l.output)
		l.files[file] = reporter
	}
	if reporter.counts[f.Rule] == 0 {
		l.order = append(l.order, liveGroup{reporter, f.Rule})
	}
	if reporter.admit(f.Rule) {
		reporter.add(f)
	}
}

// end delivers the counts of the findings that were not delivered.
func (l *liveReporter) end() {
	for _, g := range l.order {
		if n := g.file.counts[g.rule] - l.run.options.MaxPerRule; l.run.options.MaxPerRule >= 0 && n > 0 {
			g.file.add(more(g.rule, n))
		}
	}
}
