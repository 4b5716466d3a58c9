package service

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/insight"
	"github.com/mapatools/mapa/internal/jobs"
)

// A Site is a host that was crawled, or is to be, with and without www., over http and https.
// Crawls belong to the site where they ended, whatever address was typed. Its JSON is for
// programs.
type Site struct {
	Name      string `json:"name"` // host without www.
	Crawls    int    `json:"crawls"`
	Schedules int    `json:"schedules"`
	Last      *Crawl `json:"last,omitempty"` // the newest; nil without one
	// Result is the newest complete crawl: its figures are those of the site. Without one it is the newest
	// with a result, which has no figures to go by.
	Result *Crawl `json:"result,omitempty"`
	// Sign says at a glance whether anything is to be done about the site.
	Sign insight.Sign `json:"sign"`
	// Before are the numbers of the crawl that Result is compared with; nil without one.
	Before *Counts `json:"before,omitempty"`
	// Next is when a schedule crawls the site next; zero without one.
	Next time.Time `json:"next,omitzero"`
	// Labels are what the owner calls the site to find it again, sorted.
	Labels []string `json:"labels,omitempty"`
	// Worse is when the newest of the open losses was noticed, or when the site last did not answer. It is zero if it
	// lost nothing and answers.
	Worse time.Time `json:"-"`
	// Listed is how many pages the last complete crawls listed, the oldest first. Only Service.SitesByNeed sets it.
	Listed []jobs.Point `json:"-"`
	// History are the crawls of the site, the oldest first; only Service.Site sets it. Trends are
	// of those that are complete.
	History []Crawl `json:"history,omitempty"`
}

// hostsOf returns the hosts of a site, or nil for all sites.
func hostsOf(site string) []string {
	if site == "" {
		return nil
	}
	return addresses.SiteHosts(site)
}

// Sites returns the sites that answered, are being crawled, or have a schedule, and that a filter selects, sorted
// by name, and the cursor of the next ones, which is empty at the end.
func (s *Service) Sites(
	ctx context.Context, filter SiteFilter, cursor string, limit int,
) (sites []Site, next string, err error) {
	err = s.store.Update(ctx, func(tx *jobs.Tx) error {
		all, err := s.readSites(tx)
		if err != nil {
			return err
		}
		sites = []Site{}
		for i := range all {
			if filter.selects(&all[i]) && all[i].Name > cursor {
				sites = append(sites, all[i])
			}
		}
		slices.SortFunc(sites, func(a, b Site) int { return strings.Compare(a.Name, b.Name) })
		if len(sites) > bounded(limit) {
			sites = sites[:bounded(limit)]
			next = sites[len(sites)-1].Name
		}
		return readBefore(tx, sites)
	})
	return sites, next, err
}

// readSites returns the sites that answered, are being crawled, or have a schedule, without Before.
func (s *Service) readSites(tx *jobs.Tx) (sites []Site, err error) {
	records, err := tx.Sites(nil, addresses.SiteName)
	if err != nil {
		return nil, err
	}
	labels, err := tx.Labels()
	sites = []Site{} // programs read a list
	for name, record := range records {
		if record.Visited || len(record.Schedules) > 0 {
			sites = append(sites, s.site(name, record, labels[name]))
		}
	}
	return sites, err
}

// readBefore adds the numbers of the crawls that those of sites are compared with.
func readBefore(tx *jobs.Tx, sites []Site) error {
	for i := range sites {
		if sites[i].Result == nil || sites[i].Result.Previous == "" {
			continue
		}
		before, err := tx.Crawl(sites[i].Result.Previous)
		switch {
		case err == nil:
			sites[i].Before = &before.Counts
		case !errors.Is(err, jobs.ErrNotFound):
			return err
		}
	}
	return nil
}

// site returns a site without Before.
func (s *Service) site(name string, record *jobs.Site, labels []string) Site {
	site := Site{Name: name, Crawls: record.Crawls, Schedules: len(record.Schedules), Labels: labels}
	if record.Last != nil {
		site.Last = s.view(record.Last)
	}
	if record.Result != nil {
		site.Result = s.view(record.Result)
	}
	var shortest time.Duration // between two runs of the schedule that runs most often
	for _, schedule := range record.Schedules {
		if schedule.Paused || schedule.Next.IsZero() {
			continue
		}
		if site.Next.IsZero() || schedule.Next.Before(site.Next) {
			site.Next = schedule.Next
		}
		if every := intervalOf(schedule); shortest == 0 || every < shortest {
			shortest = every
		}
	}
	isLate := shortest > 0 && site.Last != nil && s.now().Sub(site.Last.Created) > 2*shortest
	site.Sign = site.signed(isLate)
	switch {
	case site.Result != nil && site.Result.Counts.Losses > 0:
		site.Worse = cmp.Or(record.Result.Lost, record.Result.Created)
	case site.isDown():
		site.Worse = site.Last.Created
	}
	return site
}

// intervalOf returns the time between the next run of a schedule and the one after it.
func intervalOf(schedule *jobs.Schedule) time.Duration {
	plain := *schedule
	plain.Jitter = 0
	return nextRun(&plain, schedule.Next).Sub(schedule.Next)
}

// ofServer are the failures that say nothing about a site.
var ofServer = []string{
	FailureDiskFull, FailureRefused, FailureForeign, FailureFolder, FailureInternal, FailureNotPublic,
	FailureNoBrowser, FailureBrowserStart, FailureBrowserSandbox, FailureUnrendered,
}

// signOf returns the sign of a crawl: one that the site did not answer is bad.
func signOf(c *jobs.Crawl) insight.Sign {
	if c.State == StateFailed && c.Failure != nil && !slices.Contains(ofServer, c.Failure.Code) {
		return insight.SignBad
	}
	return insight.Sign(c.Sign)
}

// signed returns the sign of a site. A crawl that its schedule should have begun long ago is late.
func (s *Site) signed(isLate bool) insight.Sign {
	switch {
	case s.isDown():
		return insight.SignBad
	case isLate, s.Result == nil, !s.Result.Complete:
		return insight.SignUnknown
	}
	return cmp.Or(s.Result.Sign, insight.SignUnknown)
}

// isDown reports whether the site did not answer the last crawl.
func (s *Site) isDown() bool {
	return s.Last != nil && s.Last.State == StateFailed && s.Last.Sign == insight.SignBad
}

// Site returns the site of a host, with its history. The error is [ErrNotFound] when there
// is no crawl and no schedule of it.
func (s *Service) Site(ctx context.Context, name string) (*Site, error) {
	var site Site
	var crawls []*jobs.Crawl
	err := s.store.Update(ctx, func(tx *jobs.Tx) (err error) {
		record, err := tx.Site(addresses.SiteHosts(name))
		if err != nil {
			return err
		}
		labels, err := tx.Labels()
		if err != nil {
			return err
		}
		one := []Site{s.site(addresses.SiteName(name), record, labels[addresses.SiteName(name)])}
		if err := readBefore(tx, one); err != nil {
			return err
		}
		site = one[0]
		crawls, err = tx.Crawls(addresses.SiteHosts(name), 0, maxRows)
		return err
	})
	if err != nil {
		return nil, err
	}
	for i := len(crawls) - 1; i >= 0; i-- {
		site.History = append(site.History, *s.view(crawls[i]))
	}
	return &site, nil
}

// siteOf returns the host to which a new crawl of an address belongs: that at which the crawls
// before ended, or else its own.
func siteOf(tx *jobs.Tx, address *addresses.SiteAddress) (string, error) {
	site, err := tx.SiteOf(address.Start)
	return cmp.Or(site, address.Name), err
}

// joinSite moves the crawls and schedules of a start to the site where a crawl of it ended.
func joinSite(tx *jobs.Tx, c *jobs.Crawl, ended *addresses.SiteAddress) error {
	if addresses.SiteName(c.Site) == addresses.SiteName(ended.Name) {
		return nil
	}
	before := c.Site
	c.Site = ended.Name
	if err := tx.MoveStart(c.Start, c.Site); err != nil {
		return err
	}
	if err := copyLabels(tx, before, c.Site); err != nil {
		return err
	}
	schedules, err := tx.Schedules(nil)
	if err != nil {
		return err
	}
	for _, schedule := range schedules {
		address, err := addresses.ReadSiteAddress(schedule.URL)
		if err != nil || address.Start != c.Start {
			continue
		}
		schedule.Site = c.Site
		if err := tx.SaveSchedule(schedule); err != nil {
			return err
		}
	}
	return nil
}

// readEnd returns where the crawl in a folder ended: the start page may redirect. It is nil
// when the crawl cannot be read.
func readEnd(folder string) *addresses.SiteAddress {
	start, err := crawlfile.ReadStart(folder)
	if err != nil {
		return nil
	}
	ended, err := addresses.ReadSiteAddress(start)
	if err != nil {
		return nil
	}
	return ended
}

// DeleteSite deletes the schedules, the figures, the labels, what is ignored and the crawls of a site, those that run
// too.
func (s *Service) DeleteSite(ctx context.Context, name string) error {
	schedules, err := s.Schedules(ctx, name)
	if err != nil {
		return err
	}
	for i := range schedules {
		if err := s.DeleteSchedule(ctx, schedules[i].ID); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	if err := errors.Join(s.deleteFigures(ctx, name), s.deleteIgnored(ctx, name)); err != nil {
		return err
	}
	err = s.store.Update(ctx, func(tx *jobs.Tx) error { return tx.SetLabels(addresses.SiteName(name), nil) })
	if err != nil {
		return err
	}
	for found := false; ; found = true {
		crawls, _, err := s.Crawls(ctx, name, "", maxRows)
		if err != nil {
			return err
		}
		if len(crawls) == 0 {
			if found || len(schedules) > 0 {
				return nil
			}
			return ErrNotFound
		}
		for i := range crawls {
			if _, err := s.Delete(ctx, crawls[i].ID); err != nil && !errors.Is(err, ErrNotFound) {
				return err
			}
		}
	}
}
