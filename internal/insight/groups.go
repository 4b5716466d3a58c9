package insight

import (
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/format"

	"github.com/mapatools/mapa/crawl"
)

// A textTable finds pages that share a title, a description or their content, by ID.
type textTable struct {
	titles, descriptions, contents []uint64 // hashes; 0 for a page without
	pages                          []target // copies and the pages that are listed in their place
	previous                       []target // pages of the same series
}

// minCopyWords is how many words of main content a page needs to be called a copy: pages that are
// nearly empty are equal by chance.
const minCopyWords = 20

var textSeed = maphash.MakeSeed()

// hashText returns a hash of the parts of a text that is not 0.
func hashText(parts ...string) uint64 {
	var h maphash.Hash
	h.SetSeed(textSeed)
	for _, part := range parts {
		h.WriteString(part)
		h.WriteByte(0)
	}
	return max(h.Sum64(), 1)
}

// add adds a page.
func (t *textTable) add(j *judge, s *subject) {
	for crawl.ID(len(t.titles)) <= s.id {
		t.titles, t.descriptions, t.contents = append(t.titles, 0), append(t.descriptions, 0), append(t.contents, 0)
	}
	if s.traits&isCopy != 0 && s.Page.Target > 0 {
		t.pages = append(t.pages, target{s.id, s.Page.Target})
	}
	if !s.isContent() {
		return
	}
	language, _, _ := strings.Cut(strings.ToLower(s.Page.Language), "-")
	if title := format.Fold(s.Page.Title); title != "" {
		t.titles[s.id] = hashText(title, language)
	}
	if text := format.Fold(s.Page.Facts.Description); text != "" {
		t.descriptions[s.id] = hashText(text, language)
	}
	if s.Page.Digest != 0 && s.Page.Words >= minCopyWords {
		content := &s.Page.Content
		var sums []byte
		for _, sum := range []uint64{s.Page.Digest, content.Numbers, content.Today, content.Pictures} {
			sums = binary.LittleEndian.AppendUint64(sums, sum)
		}
		t.contents[s.id] = hashText(string(sums), format.Fold(s.Page.Facts.H1))
	}
}

// series records that two pages follow each other.
func (t *textTable) series(from, to crawl.ID) { t.previous = append(t.previous, target{from, to}) }

// judgeGroups applies the rules about pages that share something. A group is one finding a page.
func (j *judge) judgeGroups() error {
	for _, group := range []struct {
		id     string
		hashes *[]uint64
		text   func(*crawl.Page) string // nil where the pages of a series may not share it either
	}{
		{"title-duplicate", &j.texts.titles, func(p *crawl.Page) string { return format.Fold(p.Title) }},
		{"description-duplicate", &j.texts.descriptions, func(p *crawl.Page) string {
			return format.Fold(p.Facts.Description)
		}},
		{"duplicate-content", &j.texts.contents, nil},
	} {
		rule := j.rules.rule(group.id)
		groups := repeatedGroups(*group.hashes)
		series := seriesOf(j.texts.previous, *group.hashes)
		*group.hashes = nil
		if rule == nil {
			continue
		}
		for _, members := range groups {
			if group.text != nil && !differ(members, series.of) {
				continue
			}
			var arguments []any
			if group.text != nil {
				record, _, err := j.crawled.Page(members[0])
				if err != nil {
					return err
				}
				arguments = append(arguments, group.text(&record.Page))
			}
			for _, id := range members {
				j.report(rule, rule.Severity, id, members[0], 1, append(slices.Clip(arguments), len(members))...)
			}
		}
	}
	return j.judgeCopies()
}

// judgeCopies reports the pages that are left out of the sitemap because another page has the same
// content.
func (j *judge) judgeCopies() error {
	rule := j.rules.rule("duplicate-content")
	if rule == nil {
		return nil
	}
	counts := map[crawl.ID]int{}
	for _, copied := range j.texts.pages {
		counts[copied.to]++
	}
	for _, copied := range j.texts.pages {
		j.report(rule, rule.Severity, copied.from, copied.to, 1, counts[copied.to]+1)
	}
	return j.failed
}

// differ reports whether pages belong to more than one series.
func differ(members []crawl.ID, seriesOf func(crawl.ID) crawl.ID) bool {
	first := seriesOf(members[0])
	return slices.ContainsFunc(members[1:], func(id crawl.ID) bool { return seriesOf(id) != first })
}

// A series maps pages that follow each other to one of them.
type series map[crawl.ID]crawl.ID

// seriesOf returns the series of pages that share a hash. A post and the next one, with another
// title, make no series.
func seriesOf(pairs []target, hashes []uint64) series {
	s := series{}
	for _, pair := range pairs {
		if max(pair.from, pair.to) < crawl.ID(len(hashes)) && hashes[pair.from] == hashes[pair.to] {
			s.join(pair.from, pair.to)
		}
	}
	return s
}

// join puts two pages into one series.
func (s series) join(a, b crawl.ID) {
	if a, b = s.of(a), s.of(b); a != b {
		s[max(a, b)] = min(a, b)
	}
}

// of returns the page that represents the series of a page.
func (s series) of(id crawl.ID) crawl.ID {
	for {
		next, more := s[id]
		if !more {
			return id
		}
		if further, more := s[next]; more {
			s[id] = further // a shorter way for the next caller
		}
		id = next
	}
}

// hashedPage is a page with the hash of some text.
type hashedPage struct {
	hash uint64
	id   crawl.ID
}

// repeatedGroups returns the pages that share a hash, in the order of their first pages.
func repeatedGroups(hashes []uint64) (groups [][]crawl.ID) {
	for rest := repeated(hashes); len(rest) > 0; {
		end := 1
		for end < len(rest) && rest[end].hash == rest[0].hash {
			end++
		}
		if end > 1 {
			group := make([]crawl.ID, end)
			for i, page := range rest[:end] {
				group[i] = page.id
			}
			groups = append(groups, group)
		}
		rest = rest[end:]
	}
	slices.SortFunc(groups, func(a, b []crawl.ID) int { return cmp.Compare(a[0], b[0]) })
	return groups
}

// slotsOfPage is how many slots a page has in the table that finds repeated hashes.
const slotsOfPage = 8

// repeated returns the pages whose hashes may occur again, sorted by hash and ID. Most texts are
// unique: to sort only those whose slot in a table of bits is taken twice needs an eighth of the
// memory and the time.
func repeated(hashes []uint64) (pages []hashedPage) {
	slots := uint64(len(hashes) * slotsOfPage)
	if slots == 0 {
		return nil
	}
	taken, again := make([]uint64, slots/64+1), make([]uint64, slots/64+1)
	for _, hash := range hashes {
		if hash == 0 {
			continue
		}
		slot := hash % slots
		if word, bit := slot/64, uint64(1)<<(slot%64); taken[word]&bit != 0 {
			again[word] |= bit
		} else {
			taken[word] |= bit
		}
	}
	for id, hash := range hashes {
		if slot := hash % slots; hash != 0 && again[slot/64]&(1<<(slot%64)) != 0 {
			pages = append(pages, hashedPage{hash, crawl.ID(id)})
		}
	}
	slices.SortFunc(pages, func(a, b hashedPage) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id))
	})
	return pages
}
