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
	return f.SetNote(filesName, append([]string{}, names...))
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

// A Note is a row of meta that holds what others record about a crawl, as JSON.
type Note string

// The notes.
const (
	NoteBase        Note = "base"         // a bool: the next crawl is compared with this one, whose results are written
	NoteComparison  Note = "comparison"   // whether the crawl is compared with the one before
	NoteSitemaps    Note = "sitemaps"     // what the crawl found at the URLs of sitemaps
	NoteAgents      Note = "agents"       // what the crawl found out about other crawlers
	NoteFigureRules Note = "figure_rules" // the severities of the rules about figures
	NoteVerdict     Note = "verdict"      // what the crawl means
)

// SetNote records a note.
func (f *File) SetNote(name Note, value any) error {
	encoded, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return f.setFiles("insert or replace into meta (name, value) values (?, ?)", string(name), string(encoded))
}

// ReadNote reads what SetNote recorded; into stays as it is without that.
func (f *File) ReadNote(name Note, into any) (err error) {
	failed := f.db.Query("select value from meta where name = ?", func(r sqlite.Row) bool {
		err = json.Unmarshal([]byte(r.Text(0)), into)
		return true
	}, string(name))
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
