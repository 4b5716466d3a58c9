package jobs

// A Site is a host that was crawled, or is to be.
type Site struct {
	Name      string
	Crawls    int
	Schedules int
	Last      *Crawl // the newest, or nil
}

// Sites returns the sites after a name, sorted by name.
func (tx *Tx) Sites(after string, limit int) ([]*Site, error) {
	names, err := list(tx, readText, `select distinct site from crawl where site > ?1
		union select site from schedule where site > ?1 order by 1 limit ?2`, after, limit)
	if err != nil {
		return nil, err
	}
	sites := make([]*Site, len(names))
	for i, name := range names {
		if sites[i], err = tx.Site(name); err != nil {
			return nil, err
		}
	}
	return sites, nil
}

// Site returns a site by its name, or ErrNotFound.
func (tx *Tx) Site(name string) (*Site, error) {
	s := &Site{Name: name}
	err := tx.row("select (select count(*) from crawl where site = ?1), (select count(*) from schedule where site = ?1)", name).
		Scan(&s.Crawls, &s.Schedules)
	if err != nil {
		return nil, err
	}
	if s.Crawls+s.Schedules == 0 {
		return nil, ErrNotFound
	}
	last, err := tx.Crawls(name, 0, 1)
	if len(last) == 1 {
		s.Last = last[0]
	}
	return s, err
}
