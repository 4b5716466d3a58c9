// Package store keeps a crawl in one SQLite file, the crawl file. [Create] makes a
// file, [Open] opens one to continue it, and [OpenReader] to read it. [File] is the [crawl.Store]
// of the running crawl and the [crawl.Previous] of the next crawl, and reports read it.
//
// docs/crawl-file.md describes the file for people who query it.
package store

import (
	"cmp"
	"context"
	"database/sql/driver"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/page"
	"github.com/mapatools/mapa/internal/sqlite"
)

//go:embed schema.sql
var schema string

//go:embed finding.sql
var findingTables string

var (
	_ crawl.Store    = (*File)(nil)
	_ crawl.Previous = (*File)(nil)
)

// File is an open crawl file. Its methods are called by one goroutine at a time,
// except Lookup, which several goroutines may call at once when nothing else runs.
// While an iterator runs, only methods that read may be called. An iterator ends with its
// first error, which is that of ctx when ctx has ended.
//
// Unless the file was opened by [OpenReader], the process holds an exclusive lock while
// it is open. The lock ends with the
// process, and also when the process opens and closes the same file by other means,
// as POSIX record locks do (fcntl(2)).
type File struct {
	db       *sqlite.File
	meta     crawl.Meta
	finished bool
	logged   bool     // the write-ahead log is in use
	last     crawl.ID // the largest
	readOnly bool     // made by OpenReader
	copiedTo string   // folder to remove when the file is closed, or empty

	insertURL, insertFetch, insertLink, updateGiven *sqlite.Statement
	edges, anchors, shingles                        []byte         // buffers to encode in
	values                                          []driver.Value // of a row

	lookupMutex sync.Mutex // of Lookup
	lookup      *lookup    // prepared when first needed
	indexed     bool       // the index by URL is there
	reading     bool       // in the transaction of KeepReading
	counted     bool       // the tables numbers and folder are those of the crawl
	figures     *bool      // whether the table figure has a row; nil until that is known
}

// spec describes a crawl file. synchronous=full means that a commit is on the disk when it
// returns; with the write-ahead log it takes one fsync, with a rollback journal three or four.
// cache_size is in KiB. Only a new file takes the page size: pages of twice the default size
// halve the number of reads and writes.
var spec = sqlite.Spec{
	Kind: sqlite.KindCrawl, Version: 3, Lock: sqlite.LockWhole,
	Schema: schema + tables, Upgrade: upgrade,
	Settings: "pragma page_size = 8192; pragma synchronous = full; pragma cache_size = -2048;",
}

// tables are those that the end of a crawl fills.
var tables = findingTables + lossTable + figureTable + page.NumbersTable("") + page.View()

// upgrade makes a file of the version before one of this version, so that the next crawl knows what the last one found.
// It drops the findings, which that crawl replaces.
func upgrade(db *sqlite.File) error {
	return db.Exec(`drop view finding; drop table finding_rule; drop table finding_group; drop table finding_page;
alter table loss add column ignored integer not null default 0;
` + findingTables)
}

// Create makes a crawl file in a folder that exists. When the file exists, Create
// does not change it and the error wraps fs.ErrExist, unless the file is empty, as
// after a creation that was interrupted. files are the names of files in the folder
// that earlier crawls wrote.
func Create(name string, meta crawl.Meta, files ...string) (*File, error) {
	f, create := &File{meta: meta}, spec
	create.Fill = func(db *sqlite.File) error {
		f.db = db
		if err := f.setMeta(meta); err != nil {
			return err
		}
		return f.SetFiles(files)
	}
	db, err := sqlite.Open(context.Background(), name, &create, sqlite.Create)
	if err != nil {
		return nil, err
	}
	if f.db = db; !db.Created() {
		err = fmt.Errorf("create %s: %w", name, fs.ErrExist)
	}
	if err == nil {
		err = f.useLog()
	}
	if err == nil {
		err = f.prepareWrites()
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return f, nil
}

// Open opens a crawl file to continue it. The error wraps fs.ErrNotExist when there is no
// file, or one whose creation was interrupted. A [sqlite.Error] says what is wrong with a file
// that cannot be used.
func Open(name string) (*File, error) {
	db, err := sqlite.Open(context.Background(), name, &spec, sqlite.Write)
	if err != nil {
		return nil, err
	}
	return newWriter(db)
}

// newWriter returns a file that is open to continue it, and closes it when it is damaged.
func newWriter(db *sqlite.File) (*File, error) {
	f := &File{db: db}
	err := f.readTables()
	if err == nil {
		err = f.prepareWrites()
	}
	if err == nil {
		err = f.useLog()
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return f, nil
}

// readTables reads what a file says about itself, and refuses a damaged one before anything
// is written.
func (f *File) readTables() error {
	if err := f.readMeta(); err != nil {
		return err
	}
	if err := f.checkTables(sqlite.Size(f.db.Name())); err != nil {
		return err
	}
	if _, err := f.prepareLookup(); err != nil { // fails when a column is missing
		return err
	}
	groups := fmt.Sprintf(selectGroups, "", "", OrderSeverity+", "+OrderURL)
	for _, prepare := range []func() (io.Closer, error){
		func() (io.Closer, error) { return f.db.Prepare(groups) },
		func() (io.Closer, error) { return f.db.Prepare(selectCounts) },
		func() (io.Closer, error) { return f.db.Prepare(selectLosses) },
		func() (io.Closer, error) { return f.db.Prepare(fmt.Sprintf(selectToCopy, "?")) },
		func() (io.Closer, error) { return f.insertNumbers() },
		func() (io.Closer, error) { return f.insertFolder() },
		func() (io.Closer, error) { return f.insertFigures() },
	} {
		all, err := prepare()
		if err == nil {
			err = all.Close()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pagesText says which pages of the site were crawled, by Meta.OnlySeeds.
var pagesText = map[bool]string{false: "all", true: "given"}

func (f *File) setMeta(meta crawl.Meta) error {
	insert, err := f.db.Prepare("insert into meta (name, value) values (?, ?)")
	if err != nil {
		return err
	}
	for _, entry := range [][2]string{
		{"program", meta.Program},
		{"start", meta.Start},
		{"options", meta.Options},
		{"folder", meta.Folder},
		{"pages", pagesText[meta.OnlySeeds]},
		{"state", stateRunning},
	} {
		if err := insert.Exec(entry[0], entry[1]); err != nil {
			return cmp.Or(err, insert.Close())
		}
	}
	return insert.Close()
}

func (f *File) readMeta() error {
	values := make(map[string]string)
	err := f.db.Query("select name, value from meta", func(r sqlite.Row) bool {
		values[r.Text(0)] = r.Text(1)
		return true
	})
	if err != nil {
		return err
	}
	if _, found := values["start"]; !found {
		return f.db.Explain(fmt.Errorf("%w: it names no start", sqlite.ErrDamaged))
	}
	f.meta = crawl.Meta{Start: values["start"], Options: values["options"], Program: values["program"],
		Folder: values["folder"], OnlySeeds: values["pages"] == pagesText[true]}
	f.finished = values["state"] == stateFinished
	return nil
}

// Meta describes the crawl as a whole.
func (f *File) Meta() crawl.Meta { return f.meta }

// Finished reports whether the crawl has nothing left to do.
func (f *File) Finished() bool { return f.finished }

// Close moves the log into the file, so that the crawl is one file that can be
// copied, and releases the lock, even when it returns an error.
func (f *File) Close() error {
	var err error
	if f.reading {
		err = f.db.Exec("commit")
	}
	if !f.readOnly {
		err = errors.Join(err, f.removeLog())
	}
	err = errors.Join(err, f.db.Close())
	if f.copiedTo != "" {
		err = errors.Join(err, os.RemoveAll(f.copiedTo))
	}
	return err
}
