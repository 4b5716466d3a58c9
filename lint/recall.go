package lint

import (
	"bytes"
	"cmp"
	"context"
	"os"

	"github.com/mapatools/mapa/sitemap"
	"github.com/mapatools/mapa/source"
)

const mostOthers = 100_000

// others recalls the pages that findings refer to.
func (r *run) others(ctx context.Context, found *hits, groups []hitGroup) (map[pageAt]place, error) {
	wanted := map[uint32]map[uint32]bool{}
	count := 0
	for _, group := range groups {
		for _, h := range found.groups[group].kept {
			if count == mostOthers {
				break
			}
			if wanted[h.other.file] == nil {
				wanted[h.other.file] = map[uint32]bool{}
			}
			wanted[h.other.file][h.other.entry] = true
			count++
		}
	}
	places := map[pageAt]place{}
	for file, entries := range wanted {
		if err := r.recall(ctx, file, entries, places); err != nil {
			return nil, err
		}
	}
	return places, nil
}

// places recalls the pages of one file that hits are about.
func (r *run) places(ctx context.Context, file uint32, found *hits, groups []hitGroup) (map[pageAt]place, error) {
	entries := map[uint32]bool{}
	for _, group := range groups {
		for _, h := range found.groups[group].kept {
			entries[h.at.entry] = true
		}
	}
	places := map[pageAt]place{}
	return places, r.recall(ctx, file, entries, places)
}

// recall finds pages of a file by their numbers: what can be read once more is, the
// rest was spooled. Of a file that has changed meanwhile, none is found.
func (r *run) recall(ctx context.Context, number uint32, entries map[uint32]bool, into map[pageAt]place) error {
	file, left := r.set.files[number], len(entries)
	each := file.reel.each
	if file.disk != nil {
		each = file.eachAgain
	}
	err := each(func(entry uint32, page func() place) bool {
		if entries[entry] {
			p := page()
			p.loc = bytes.Clone(p.loc)
			into[pageAt{number, entry}] = p
			left--
		}
		return left > 0 && (entry%1024 != 0 || ctx.Err() == nil)
	})
	return cmp.Or(err, ctx.Err())
}

// onDisk returns what tells a regular file from all others and from itself after a
// change; nil for what cannot be read twice.
func onDisk(file *source.File) os.FileInfo {
	if file.Response != nil || file.Location == "-" {
		return nil
	}
	info, err := os.Stat(file.Location)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	return info
}

// eachAgain does what [reel.each] does by reading the file.
func (f *setFile) eachAgain(visit func(entry uint32, page func() place) bool) error {
	file, err := os.Open(f.location)
	if err != nil {
		return nil
	}
	defer file.Close()
	if now, err := file.Stat(); err != nil || !os.SameFile(now, f.disk) || now.Size() != f.disk.Size() || !now.ModTime().Equal(f.disk.ModTime()) {
		return nil
	}
	number := uint32(0)
	for entry, err := range sitemap.NewReader(file, nil).Entries() {
		if err != nil {
			return nil // which was told when the file was checked
		}
		if entry.IsSitemap() {
			continue
		}
		page := func() place {
			offset, line, column := entry.Source().Find("", 0)
			return place{entry.Loc, offset, line, column}
		}
		if !visit(number, page) {
			return nil
		}
		number++
	}
	return nil
}
