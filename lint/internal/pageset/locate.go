package pageset

import (
	"bytes"
	"cmp"
	"context"
	"os"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

// Group is the matches of one kind in one file, in their order.
type Group struct {
	Kind    Kind
	File    string // the location
	Matches []Match
	Count   int // of all matches, kept or not
}

// Match is a page and the one that it matches.
type Match struct {
	Page  Position
	Other Position
	// OtherFile is the location of the file that lists the other page, and SameFile
	// whether that is the file of the group.
	OtherFile string
	SameFile  bool
}

// Compare calls visit with the matches of the whole set, by file and kind, until
// it returns false. All collectors must be closed. Positions are looked up one
// file at a time; of the other pages a bounded number is held. A file that has
// changed has no positions any more.
func (s *Set) Compare(ctx context.Context, visit func(*Group) bool) error {
	if s.flush(); s.err != nil {
		return s.err
	}
	found, err := s.compare(ctx)
	if err != nil {
		return err
	}
	groups := found.sorted()
	others, err := s.locateOthers(ctx, found, groups)
	if err != nil {
		return err
	}
	for len(groups) > 0 {
		n := 1
		for n < len(groups) && groups[n].file == groups[0].file {
			n++
		}
		own, err := s.locatePages(ctx, groups[0].file, found, groups[:n])
		if err != nil {
			return err
		}
		for _, key := range groups[:n] {
			if !visit(s.group(key, found.groups[key], own, others)) {
				return nil
			}
		}
		groups = groups[n:]
	}
	return nil
}

func (s *Set) group(key groupKey, list *matchList, own, others map[page]Position) *Group {
	g := &Group{Kind: key.kind, File: s.files[key.file].location, Count: list.count}
	for _, m := range list.kept {
		g.Matches = append(g.Matches, Match{
			Page: own[m.at], Other: others[m.other],
			OtherFile: s.files[m.other.file].location, SameFile: m.other.file == m.at.file,
		})
	}
	return g
}

const maxOthers = 100_000

// locateOthers looks up the pages that matches refer to.
func (s *Set) locateOthers(ctx context.Context, found *matches, groups []groupKey) (map[page]Position, error) {
	wanted := map[uint32]map[uint32]bool{}
	count := 0
	for _, group := range groups {
		for _, m := range found.groups[group].kept {
			if count == maxOthers {
				break
			}
			if wanted[m.other.file] == nil {
				wanted[m.other.file] = map[uint32]bool{}
			}
			wanted[m.other.file][m.other.entry] = true
			count++
		}
	}
	positions := map[page]Position{}
	for file, entries := range wanted {
		if err := s.locate(ctx, file, entries, positions); err != nil {
			return nil, err
		}
	}
	return positions, nil
}

// locatePages looks up the pages of one file that matches are about.
func (s *Set) locatePages(
	ctx context.Context, file uint32, found *matches, groups []groupKey,
) (map[page]Position, error) {
	entries := map[uint32]bool{}
	for _, group := range groups {
		for _, m := range found.groups[group].kept {
			entries[m.at.entry] = true
		}
	}
	positions := map[page]Position{}
	return positions, s.locate(ctx, file, entries, positions)
}

// locate finds pages of a file by their numbers, in the file itself where that can
// be read again and in the log where not.
func (s *Set) locate(ctx context.Context, number uint32, entries map[uint32]bool, into map[page]Position) error {
	file, left := s.files[number], len(entries)
	each := file.log.each
	if file.disk != nil {
		each = file.readAgain
	}
	err := each(func(entry uint32, position func() Position) bool {
		if entries[entry] {
			p := position()
			p.Loc, p.Values = bytes.Clone(p.Loc), p.Values.clone()
			into[page{number, entry}] = p
			left--
		}
		return left > 0 && (entry%1024 != 0 || ctx.Err() == nil)
	})
	return cmp.Or(err, ctx.Err())
}

// regularFile returns what identifies a file on disk and its version; nil for
// what cannot be read twice.
func regularFile(file *source.File) os.FileInfo {
	if file.Response != nil || file.Location == "-" {
		return nil
	}
	info, err := os.Stat(file.Location)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

// readAgain does what positionLog.each does by reading the file. It finds nothing
// in a file that has changed.
func (f *File) readAgain(visit func(entry uint32, position func() Position) bool) error {
	file, err := os.Open(f.location)
	if err != nil {
		return nil
	}
	defer file.Close()
	now, err := file.Stat()
	if err != nil || !os.SameFile(now, f.disk) || now.Size() != f.disk.Size() || !now.ModTime().Equal(f.disk.ModTime()) {
		return nil
	}
	number := uint32(0)
	for entry, err := range sitemap.NewReader(file).Entries() {
		if err != nil {
			return nil // reported when the file was checked
		}
		if entry.IsSitemap() {
			continue
		}
		position := func() Position {
			offset, line, column := entry.Source().Find("", 0)
			return Position{entry.Loc, offset, line, column, valuesOf(entry)}
		}
		if !visit(number, position) {
			return nil
		}
		number++
	}
	return nil
}
