package main

import (
	"io"
	"os"

	"github.com/mapatools/mapa/sitemap"
)

// open opens a file for one side of a contest.
type open func() (io.ReadCloser, error)

func opens(path string) open {
	return func() (io.ReadCloser, error) { return os.Open(path) }
}

// reads returns a side that opens a file and reads it through.
func reads(file open, read func(io.Reader) (work, error)) func() (work, error) {
	return func() (work, error) {
		f, err := file()
		if err != nil {
			return work{}, err
		}
		defer f.Close()
		return read(f)
	}
}

// readEntries leaves extensions alone.
func readEntries(r io.Reader) (work, error) {
	var did work
	for entry, err := range sitemap.NewReader(r).Entries() {
		if err != nil {
			return did, err
		}
		if err := did.note(entry); err != nil {
			return did, err
		}
	}
	return did, nil
}

// readObjects parses all extensions.
func readObjects(r io.Reader) (work, error) {
	var did work
	var extensions sitemap.Extensions
	for entry, err := range sitemap.NewReader(r).Entries() {
		if err != nil {
			return did, err
		}
		if err := did.note(entry); err != nil {
			return did, err
		}
		if err := entry.Extensions(&extensions); err != nil {
			return did, err
		}
		did.noteObjects(&extensions)
	}
	return did, nil
}

func (did *work) note(entry *sitemap.Entry) error {
	date, err := entry.Date()
	did.urls++
	did.loc += int64(len(entry.Loc))
	did.lastmod += date.Unix()
	return err
}

func (did *work) noteObjects(extensions *sitemap.Extensions) {
	did.objects += len(extensions.Images) + len(extensions.Videos) + len(extensions.News) + len(extensions.Alternates)
	for i := range extensions.Images {
		did.text += int64(len(extensions.Images[i].Loc))
	}
	for i := range extensions.Videos {
		did.text += int64(len(extensions.Videos[i].ContentLoc))
	}
	for i := range extensions.Alternates {
		did.text += int64(len(extensions.Alternates[i].Href))
	}
}

func (b *bench) readPlain() error {
	path, err := b.input("plain.xml", newStream(plainRecord, 0, b.size.urls))
	if err != nil {
		return err
	}
	return b.compare(contest{
		name:      "read plain URLs, against encoding/xml",
		required:  50,
		base:      reads(opens(path), tokens),
		candidate: reads(opens(path), readEntries),
	})
}

func (b *bench) readEntities() error {
	path, err := b.input("entities.xml", newStream(foreignRecord, 0, b.size.urls))
	if err != nil {
		return err
	}
	return b.compare(contest{
		name:      "the same with entities and non-ASCII",
		required:  35,
		base:      reads(opens(path), tokens),
		candidate: reads(opens(path), readEntries),
	})
}

func (b *bench) readHeavy() error {
	path, err := b.input("heavy.xml", newStream(heavyRecord, 0, b.size.heavy))
	if err != nil {
		return err
	}
	for _, c := range []contest{{
		name:      "heavy extensions, left unparsed",
		required:  45,
		base:      reads(opens(path), tokens),
		candidate: reads(opens(path), readEntries),
	}, {
		name:      "heavy extensions, parsed into objects",
		required:  12,
		base:      reads(opens(path), objectTokens),
		candidate: reads(opens(path), readObjects),
	}, {
		name:      "the same, against encoding/xml into structs",
		base:      reads(opens(path), structs),
		candidate: reads(opens(path), readObjects),
	}} {
		if err := b.compare(c); err != nil {
			return err
		}
	}
	return nil
}
