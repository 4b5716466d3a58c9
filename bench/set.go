package main

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/mapatools/mapa/sitemap"
)

const baseURL = "https://www.example.com/"

// cycle is how many different pages a set repeats. It is far more than a
// compressor looks back, and little enough not to count as memory.
const cycle = 2_000

// titleWords make up the addresses of a set. The address of a real page has a title
// or a name that cannot be predicted. Without, a set compresses to a tenth, and the
// differences between compressors are not those of real sites.
var titleWords = strings.Fields(`a about after against all and apple best better build cake cheap chocolate
	city climate cooking council dinner easy election family final flights for from garden guide hotel how
	in ideas interest italy market minister new news of old on phone price rates recipe report review
	season small spring stock summer team test the tips to travel under war water what why winter with world`)

// makeArticles returns pages of a magazine, the newest first: the date and the
// title in the address, hours between one and the next.
func makeArticles(n int) pages {
	var p pages
	date := modified(0)
	for i := range n {
		date = date.Add(-time.Duration(hash(i)%7200) * time.Second)
		loc := date.AppendFormat([]byte(baseURL), "2006/01/02/")
		for word := range 5 + hash(i)>>32%5 {
			if word > 0 {
				loc = append(loc, '-')
			}
			loc = append(loc, titleWords[hash(10*i+int(word))%uint64(len(titleWords))]...)
		}
		p.add(string(loc), date, pick(i, 5, frequencies), pick(i, 6, priorities))
	}
	return p
}

// writeSet writes many URLs into parts and an index, plain and packed.
func (b *bench) writeSet() error {
	p := makeArticles(cycle)
	for _, c := range []struct {
		name     string
		required float64
		gzip     bool
	}{
		{"write %d URLs into files and an index, against encoding/xml", 10, false},
		{"the same as .gz, against encoding/xml and compress/gzip", 3.5, true},
	} {
		theirs, ours := filepath.Join(b.dir, "theirs"), filepath.Join(b.dir, "ours")
		if strings.Contains(c.name, "%d") {
			c.name = fmt.Sprintf(c.name, b.size.many)
		}
		did := work{urls: b.size.many}
		err := b.compare(contest{
			name:         c.name,
			required:     c.required,
			prepare:      func() error { return emptied(theirs, ours) },
			base:         func() (work, error) { return did, collectSet(theirs, p.theirs, b.size.many, c.gzip) },
			candidate:    func() (work, error) { return did, writeFolder(ours, p.ours, b.size.many, c.gzip) },
			baseDid:      func() (work, error) { return readSet(theirs, c.gzip) },
			candidateDid: func() (work, error) { return readSet(ours, c.gzip) },
		})
		if err != nil {
			return err
		}
		if c.gzip {
			if err := b.compareSize(ours); err != nil {
				return err
			}
		}
		if err := emptied(theirs, ours); err != nil {
			return err
		}
	}
	return nil
}

// emptied removes the sets and lets the disk settle, so that no side waits for
// what the other has written.
func emptied(folders ...string) error {
	for _, folder := range folders {
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	syscall.Sync()
	return nil
}

// writeFolder writes n URLs with Mapa.
func writeFolder(folder string, urls []*sitemap.URL, n int, gzip bool) error {
	set, err := sitemap.NewFolder(folder, &sitemap.SetOptions{BaseURL: baseURL, Gzip: gzip})
	if err != nil {
		return err
	}
	for i := range n {
		if err := set.Write(urls[i%len(urls)]); err != nil {
			return err
		}
	}
	return set.Close()
}

// readSet reads back what an index lists.
func readSet(folder string, gzip bool) (work, error) {
	name := "sitemap.xml"
	if gzip {
		name += ".gz"
	}
	index, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		return work{}, err
	}
	defer index.Close()
	var did work
	for entry, err := range sitemap.NewReader(index).Entries() {
		if err != nil {
			return did, err
		}
		part, err := reads(opens(filepath.Join(folder, path.Base(string(entry.Loc)))), readEntries)()
		if err != nil {
			return did, err
		}
		did.urls += part.urls
		did.loc += part.loc
		did.lastmod += part.lastmod
	}
	return did, nil
}

// writeMemory measures how much memory a set takes to write.
func (b *bench) writeMemory() error {
	if err := b.peak("resident memory, writing", taskWrite, 30); err != nil {
		return err
	}
	return b.peak("resident memory, writing .gz,", taskWriteGzip, 30)
}

// writeMany is its task. It writes into the working directory.
func writeMany(n int, gzip bool) (int, error) {
	defer os.RemoveAll("set")
	p := makeArticles(cycle)
	return n, writeFolder("set", p.ours, n, gzip)
}
