// Package store keeps a crawl in one SQLite file, the crawl file. [Create] makes a
// file, [Open] opens one to continue it, and [OpenReader] to read it. [File] is the [crawl.Store]
// of the running crawl, the [crawl.Reader] of its reports and the [crawl.Previous]
// of the next crawl.
//
// docs/crawl-file.md describes the file for people who query it.
package store

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"sync"

	"github.com/mapatools/mapa/crawl"
)

var (
	// ErrLocked means that another process, or another File, uses the crawl file.
	ErrLocked = errors.New("crawl file is in use by another process")
	// ErrVersion means that the schema of the crawl file is not Version: crawl the site
	// again, or use the version of the program that made the file.
	ErrVersion = errors.New("crawl file was made by another version")
	// ErrNotCrawlFile means that the file is something else.
	ErrNotCrawlFile = errors.New("not a crawl file")
	// ErrDamaged means that parts of the crawl file are lost or changed.
	ErrDamaged = errors.New("crawl file is damaged")
	// ErrFull means that the disk is full. What was committed before is kept.
	ErrFull = errors.New("disk is full")
)

// Version is the version of the schema that this package reads and writes.
const Version = 5

// applicationID marks a SQLite file as a crawl file: "Mapa" in ASCII.
const applicationID = 0x4d617061

//go:embed schema.sql
var schema string

//go:embed view.sql
var pageView string

var (
	_ crawl.Store    = (*File)(nil)
	_ crawl.Reader   = (*File)(nil)
	_ crawl.Previous = (*File)(nil)
)

// File is an open crawl file. Its methods are called by one goroutine at a time,
// except Lookup, which several goroutines may call at once when nothing else runs.
// While an iterator runs, only methods that read may be called.
//
// Unless the file was opened by [OpenReader], the process holds an exclusive lock while
// it is open. The lock ends with the
// process, and also when the process opens and closes the same file by other means,
// as POSIX record locks do (fcntl(2)).
type File struct {
	name     string
	db       *database
	meta     crawl.Meta
	finished bool
	logged   bool     // the write-ahead log is in use
	last     crawl.ID // the largest
	readOnly bool     // made by OpenReader
	copiedTo string   // folder to remove when the file is closed, or empty

	insertURL, insertFetch, insertLink, updateGiven *statement
	edges, anchors                                  []byte // buffers to encode in

	lookupMutex sync.Mutex // of Lookup
	lookup      *lookup    // prepared when first needed
	indexed     bool       // the index by URL is there
}

// Create makes a crawl file in a folder that exists. When the file exists, Create
// does not change it and the error wraps fs.ErrExist, unless the file is empty, as
// after a creation that was interrupted. files are the names of files in the folder
// that earlier crawls wrote.
func Create(name string, meta crawl.Meta, files ...string) (*File, error) {
	info, err := os.Stat(name)
	if err == nil {
		err = inspect(info)
	} else if _, linkErr := os.Lstat(name); linkErr == nil {
		err = ErrNotCrawlFile // a link would make a file elsewhere
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	db, err := connect(name, modeCreate)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	f := &File{name: name, db: db}
	if err := f.create(meta, files); err != nil {
		return nil, fmt.Errorf("create %s: %w", name, cmp.Or(err, db.close()))
	}
	return f, nil
}

func (f *File) create(meta crawl.Meta, files []string) error {
	empty, err := f.takeLock()
	if err != nil {
		return err
	}
	if !empty {
		return fs.ErrExist
	}
	if err := f.useLog(); err != nil {
		return err
	}
	err = f.db.inTransaction(func() error {
		if err := f.db.exec(schema + pageView + "pragma application_id = " + strconv.Itoa(applicationID)); err != nil {
			return err
		}
		if err := f.setMeta(meta); err != nil {
			return err
		}
		return f.SetFiles(files)
	})
	if err != nil {
		return err
	}
	f.meta = meta
	return f.prepare()
}

// Open opens a crawl file to continue it. The error wraps fs.ErrNotExist
// when there is no file, or one whose creation was interrupted. It wraps ErrLocked,
// ErrVersion, ErrNotCrawlFile or ErrDamaged when the file cannot be used.
func Open(name string) (*File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := inspect(info); err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	db, err := connect(name, modeWrite)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	f := &File{name: name, db: db}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("open %s: %w", name, cmp.Or(err, db.close()))
	}
	return f, nil
}

// minFileSize is the smallest page size of SQLite.
const minFileSize = 512

// errEmpty counts as a file that is not there.
var errEmpty error = emptyError{}

type emptyError struct{}

func (emptyError) Error() string { return "the crawl file is empty: file does not exist" }
func (emptyError) Unwrap() error { return fs.ErrNotExist }

// inspect checks a file before SQLite opens it, which writes its header into a file
// of no or one byte as soon as it takes the lock.
func inspect(info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return ErrNotCrawlFile
	case info.Size() == 0:
		return errEmpty
	case info.Size() < minFileSize:
		return ErrNotCrawlFile
	}
	return nil
}

func (f *File) open() error {
	empty, err := f.takeLock()
	if err != nil {
		return err
	}
	if empty {
		return errEmpty
	}
	if err := f.readMeta(); err != nil {
		return err
	}
	if err := f.check(size(f.name)); err != nil {
		return err
	}
	if err := f.prepare(); err != nil {
		return err
	}
	if _, err := f.lookups(); err != nil { // a column is missing
		return err
	}
	return f.useLog()
}

// takeLock takes the lock, until the file is closed, and reports whether the file is
// empty.
func (f *File) takeLock() (bool, error) {
	if err := f.db.exec("begin exclusive; commit"); err != nil {
		return false, err
	}
	return f.isEmpty()
}

// isEmpty reports whether the file has no table. It returns ErrNotCrawlFile when
// another program made the file.
func (f *File) isEmpty() (bool, error) {
	var tables, application int64
	read := "select count(*), (select application_id from pragma_application_id) from sqlite_schema"
	err := f.db.query(read, func(row row) bool {
		tables, application = row.number(0), row.number(1)
		return true
	})
	if err != nil {
		return false, err
	}
	if tables > 0 && application != applicationID {
		return false, ErrNotCrawlFile
	}
	return tables == 0, nil
}

func (f *File) setMeta(meta crawl.Meta) error {
	insert, err := f.db.prepare("insert into meta (name, value) values (?, ?)")
	if err != nil {
		return err
	}
	for _, entry := range [][2]string{
		{"schema", strconv.Itoa(Version)},
		{"program", meta.Program},
		{"start", meta.Start},
		{"options", meta.Options},
		{"state", stateRunning},
	} {
		if err := insert.exec(entry[0], entry[1]); err != nil {
			return cmp.Or(err, insert.close())
		}
	}
	return insert.close()
}

func (f *File) readMeta() error {
	values := make(map[string]string)
	err := f.db.query("select name, value from meta", func(row row) bool {
		values[row.text(0)] = row.text(1)
		return true
	})
	if err != nil {
		return err
	}
	if values["schema"] != strconv.Itoa(Version) {
		return fmt.Errorf("%w: it has schema %q of mapa %q, this version reads %d", ErrVersion, values["schema"],
			values["program"], Version)
	}
	f.meta = crawl.Meta{Start: values["start"], Options: values["options"], Program: values["program"]}
	f.finished = values["state"] == stateFinished
	return nil
}

// Meta implements [crawl.Reader].
func (f *File) Meta() crawl.Meta { return f.meta }

// Finished implements [crawl.Reader].
func (f *File) Finished() bool { return f.finished }

// Close moves the log into the file, so that the crawl is one file that can be
// copied, and releases the lock, even when it returns an error.
func (f *File) Close() error {
	var err error
	if !f.readOnly {
		err = f.removeLog()
	}
	err = cmp.Or(err, f.db.close())
	if f.copiedTo != "" {
		err = cmp.Or(err, os.RemoveAll(f.copiedTo))
	}
	if err != nil {
		return fmt.Errorf("close %s: %w", f.name, err)
	}
	return nil
}
