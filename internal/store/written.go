package store

import (
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mapatools/mapa/internal/sqlite"
)

// filesName is the row of meta with the names of the files that were written next to
// the crawl file.
const filesName = "files"

// Files returns the names of the files that crawls wrote to the folder. known is false
// while they are being written.
func (f *File) Files() (names []string, known bool, err error) {
	err = f.db.Query("select value from meta where name = ?", func(r sqlite.Row) bool {
		known = json.Unmarshal([]byte(r.Text(0)), &names) == nil
		return true
	}, filesName)
	if err != nil {
		return nil, false, f.db.Explain(err)
	}
	return names, known, nil
}

// SetFiles records the names of the files that crawls wrote to the folder.
func (f *File) SetFiles(names []string) error {
	return f.setJSON(filesName, append([]string{}, names...))
}

// sitemapName is the row of meta that says what the sitemap in the folder lists.
const sitemapName = "sitemap"

// The values of sitemapName.
const (
	sitemapComplete = "complete"
	sitemapPartial  = "partial"
)

// SitemapComplete reports whether the sitemap in the folder lists the pages of a crawl
// that ended at no limit, which may be an earlier one.
func (f *File) SitemapComplete() (complete bool, err error) {
	err = f.db.Query("select value from meta where name = ?", func(r sqlite.Row) bool {
		complete = r.Text(0) == sitemapComplete
		return true
	}, sitemapName)
	if err != nil {
		return false, f.db.Explain(err)
	}
	return complete, nil
}

// SetSitemapComplete records what the sitemap in the folder lists.
func (f *File) SetSitemapComplete(complete bool) error {
	value := sitemapPartial
	if complete {
		value = sitemapComplete
	}
	return f.setFiles("insert or replace into meta (name, value) values (?, ?)", sitemapName, value)
}

// baseName is the row of meta of a crawl that the next one is compared with.
const baseName = "base"

// IsBase returns what SetBase recorded.
func (f *File) IsBase() (is bool, err error) {
	err = f.readJSON(baseName, &is)
	return is, err
}

// SetBase records whether the next crawl is compared with this one, whose results are written.
func (f *File) SetBase(is bool) error { return f.setJSON(baseName, is) }

// comparisonName is the row of meta that says whether a crawl is compared with the one before.
const comparisonName = "comparison"

// SetComparison records whether the crawl is compared with the one before, as JSON.
func (f *File) SetComparison(comparison any) error { return f.setJSON(comparisonName, comparison) }

// ReadComparison reads what SetComparison recorded; into stays as it is without that.
func (f *File) ReadComparison(into any) error { return f.readJSON(comparisonName, into) }

// sitemapsName is the row of meta with what the crawl found at the URLs of sitemaps.
const sitemapsName = "sitemaps"

// SetSitemaps records what the crawl found at the URLs of sitemaps, as JSON.
func (f *File) SetSitemaps(found any) error { return f.setJSON(sitemapsName, found) }

// ReadSitemaps reads what SetSitemaps recorded; into stays as it is without that.
func (f *File) ReadSitemaps(into any) error { return f.readJSON(sitemapsName, into) }

// agentsName is the row of meta with what the crawl found out about other crawlers.
const agentsName = "agents"

// SetAgents records what the crawl found out about other crawlers, as JSON.
func (f *File) SetAgents(found any) error { return f.setJSON(agentsName, found) }

// ReadAgents reads what SetAgents recorded; into stays as it is without that.
func (f *File) ReadAgents(into any) error { return f.readJSON(agentsName, into) }

// setJSON writes a row of meta.
func (f *File) setJSON(name string, value any) error {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return f.setFiles("insert or replace into meta (name, value) values (?, ?)", name, string(encoded))
}

// readJSON reads a row of meta.
func (f *File) readJSON(name string, into any) (err error) {
	failed := f.db.Query("select value from meta where name = ?", func(r sqlite.Row) bool {
		err = json.Unmarshal([]byte(r.Text(0)), into)
		return true
	}, name)
	if failed != nil {
		return f.db.Explain(failed)
	}
	if err != nil {
		return f.db.Explain(fmt.Errorf("%w: %s: %w", sqlite.ErrDamaged, name, err))
	}
	return nil
}

// ForgetFiles makes the names unknown until SetFiles: call it before files are written.
func (f *File) ForgetFiles() error { return f.setFiles("delete from meta where name = ?", filesName) }

func (f *File) setFiles(text string, values ...driver.Value) error {
	s, err := f.db.Prepare(text)
	if err == nil {
		err = errors.Join(s.Exec(values...), s.Close())
	}
	if err != nil {
		return f.db.Explain(err)
	}
	return nil
}
