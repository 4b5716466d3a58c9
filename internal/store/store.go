// Package store keeps a crawl in one SQLite file, the crawl file. Create
// starts one and Open continues or reads one; File is both the crawl.Store of
// the running crawl and the crawl.Memory of the next.
//
// docs/crawl-file.md describes the file to those who query it.
package store

import (
	"cmp"
	"context"
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
	// ErrLocked says that another process, or another File, uses the crawl file.
	ErrLocked = errors.New("crawl file is in use by another process")
	// ErrVersion says that the crawl file has another schema than Version.
	ErrVersion = errors.New("crawl file was made by another version")
	// ErrNotCrawlFile says that the file is something else.
	ErrNotCrawlFile = errors.New("not a crawl file")
	// ErrDamaged says that the crawl file lost parts of its content.
	ErrDamaged = errors.New("crawl file is damaged")
	// ErrFull says that the disk is full; what was committed before is kept.
	ErrFull = errors.New("disk is full")
)

// Version is the version of the schema that this package writes and reads.
const Version = 3

// applicationID marks a SQLite file as a crawl file: "Mapa" in ASCII.
const applicationID = 0x4d617061

//go:embed schema.sql
var schema string

var (
	_ crawl.Store    = (*File)(nil)
	_ crawl.Reader   = (*File)(nil)
	_ crawl.Previous = (*File)(nil)
)

// A File is an open crawl file. Its methods are called by one goroutine at a
// time, but for Lookup, which takes turns by itself; while an iterator runs,
// only methods that read may be called.
//
// The process that has it open holds an exclusive lock, which ends with the
// process; it ends too when the process opens and closes the same file by
// other means, as POSIX record locks do (fcntl(2)).
type File struct {
	name     string
	db       *database
	meta     crawl.Meta
	finished bool

	insertURL, insertFetch, insertLink, updateGiven *statement
	edges, anchors                                  []byte // room to encode in

	recall  sync.Mutex
	lookup  *lookup // prepared when first needed
	indexed bool    // the index by address is there
}

// Create makes a crawl file in a folder that exists. A file that is there already is left alone and
// the error wraps fs.ErrExist, unless it holds nothing at all, as when the
// creation was interrupted.
func Create(name string, meta crawl.Meta) (*File, error) {
	if info, err := os.Stat(name); err == nil {
		if err := inspect(info); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("create %s: %w", name, err)
		}
	}
	db, err := connect(name, true)
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	f := &File{name: name, db: db}
	if err := f.create(meta); err != nil {
		return nil, fmt.Errorf("create %s: %w", name, cmp.Or(err, db.close()))
	}
	return f, nil
}

func (f *File) create(meta crawl.Meta) error {
	empty, err := f.empty()
	if err != nil {
		return err
	}
	if !empty {
		return fs.ErrExist
	}
	if err := f.db.exec("pragma journal_mode = wal"); err != nil {
		return err
	}
	err = f.db.inTransaction(func() error {
		if err := f.db.exec(schema + "pragma application_id = " + strconv.Itoa(applicationID)); err != nil {
			return err
		}
		return f.setMeta(meta)
	})
	if err != nil {
		return err
	}
	f.meta = meta
	return f.prepare()
}

// Open opens a crawl file to continue or to read it. The error wraps
// fs.ErrNotExist where there is no file or one whose creation was interrupted;
// ErrLocked, ErrVersion, ErrNotCrawlFile or ErrDamaged tell why it cannot be used.
func Open(name string) (*File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if err := inspect(info); err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	db, err := connect(name, false)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	f := &File{name: name, db: db}
	if err := f.open(); err != nil {
		return nil, fmt.Errorf("open %s: %w", name, cmp.Or(err, db.close()))
	}
	return f, nil
}

// smallestFile is one page of SQLite's smallest size.
const smallestFile = 512

var errEmpty = fmt.Errorf("nothing in it yet: %w", fs.ErrNotExist)

// inspect looks at a file before SQLite does, which writes its header into a
// file of no or one byte as soon as it takes the lock.
func inspect(info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return ErrNotCrawlFile
	case info.Size() == 0:
		return errEmpty
	case info.Size() < smallestFile:
		return ErrNotCrawlFile
	}
	return nil
}

func (f *File) open() error {
	empty, err := f.empty()
	if err != nil {
		return err
	}
	if empty {
		return errEmpty
	}
	if err := f.readMeta(); err != nil {
		return err
	}
	if err := f.db.exec("pragma journal_mode = wal"); err != nil {
		return err
	}
	return f.prepare()
}

// empty takes the lock, for as long as the file is open, and reports whether
// the file has no table at all. It fails where the file is not a crawl file.
func (f *File) empty() (bool, error) {
	if err := f.db.exec("begin exclusive; commit"); err != nil {
		return false, err
	}
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
	if version := values["schema"]; version != strconv.Itoa(Version) {
		return fmt.Errorf("%w: it has schema %q of mapa %q, this version reads %d", ErrVersion, version, values["program"], Version)
	}
	f.meta = crawl.Meta{Start: values["start"], Options: values["options"], Program: values["program"]}
	f.finished = values["state"] == stateFinished
	return nil
}

// Meta returns what the file says about its crawl.
func (f *File) Meta() crawl.Meta { return f.meta }

// Finished reports whether the crawl had nothing left to do.
func (f *File) Finished() bool { return f.finished }

// The values of state in meta.
const (
	stateRunning  = "running"
	stateFinished = "finished"
)

func (f *File) setFinished(finished bool) error {
	state := stateRunning
	if finished {
		state = stateFinished
	}
	return f.db.exec("update meta set value = '" + state + "' where name = 'state'")
}

// Finish records that nothing is left to do, and makes the index by URL. The file
// can still be read afterwards; Append makes it unfinished again.
func (f *File) Finish(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f.finish(); err != nil {
		return fmt.Errorf("finish %s: %w", f.name, err)
	}
	return nil
}

func (f *File) finish() error {
	if err := f.setFinished(true); err != nil {
		return err
	}
	f.finished = true
	// The index is made without the log, through which it would take twice the room.
	if err := f.db.exec("pragma journal_mode = delete"); err != nil {
		return err
	}
	if err := f.db.exec(indexByURL); err != nil {
		return err
	}
	f.indexed = true
	return nil
}

// Close folds the log into the file, so that the crawl is one file that can be
// copied, and releases the lock, even when it returns an error.
func (f *File) Close() error {
	var err error
	for _, s := range f.statements() {
		err = cmp.Or(err, s.close())
	}
	err = cmp.Or(err, f.db.exec("pragma journal_mode = delete"))
	if err = cmp.Or(err, f.db.close()); err != nil {
		return fmt.Errorf("close %s: %w", f.name, err)
	}
	return nil
}

func (f *File) statements() []*statement {
	all := []*statement{f.insertURL, f.insertFetch, f.insertLink, f.updateGiven}
	if f.lookup != nil {
		all = append(all, f.lookup.id, f.lookup.url, f.lookup.link, f.lookup.record)
	}
	return all
}
