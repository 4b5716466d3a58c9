package insight

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/lint"
)

const (
	// minNearWords is how many words a page needs to be compared: the menus of short ones are
	// alike.
	minNearWords = 50
	// minNearShingles is how many shingles of five words that many words make.
	minNearShingles = minNearWords - 4
	// A page has a signature of bins, in bands: pages that share a band are compared. Of pages that
	// are alike by 90 %, all but one of 10,000 share one of 16 bands of 8 bins.
	nearBins, nearBands = 128, 16
	// maxNearBytes is how much memory the shingles of pages take that are compared. Pages beyond it
	// are not.
	maxNearBytes = 64 << 20
	// maxNearPairs is how many pairs of pages are compared.
	maxNearPairs = 1 << 20
)

// judgeNear reports pages whose text is nearly that of another page: one-permutation MinHash
// finds candidates
// (https://proceedings.neurips.cc/paper/2012/hash/eaa32c96f620053cf442ad32258076b9-Abstract.html),
// and the exact similarity of their shingles decides.
func (j *judge) judgeNear() error {
	rule := j.rules.rule("near-duplicate")
	if rule == nil {
		return nil
	}
	bands, err := j.nearBands()
	if err != nil {
		return err
	}
	found, err := j.compareNear(nearPairs(bands))
	if err != nil {
		return err
	}
	groups := series{}
	percents := map[crawl.ID]int{}
	for _, pair := range found {
		if severity, _ := rule.beyond(pair.percent); severity == lint.SeverityOff || pair.percent == 100 {
			continue // exact copies have a rule of their own
		}
		groups.join(pair.a, pair.b)
		percents[pair.a] = max(percents[pair.a], pair.percent)
		percents[pair.b] = max(percents[pair.b], pair.percent)
	}
	for _, id := range slices.Sorted(maps.Keys(percents)) {
		j.report(rule, rule.Severity, id, groups.of(id), 1, percents[id])
	}
	return j.failed
}

// A nearPair is two pages that may be alike.
type nearPair struct {
	a, b    crawl.ID
	percent int // of their shingles that they share, rounded down
}

// nearBands returns the bands of all pages that are compared, each a hash and a page.
func (j *judge) nearBands() (bands []hashedPage, err error) {
	var bins [nearBins]uint32
	for page, err := range j.crawled.Shingles(j.ctx) {
		if err != nil {
			return nil, err
		}
		if !j.urls.has(page.ID, isListed|isDocument) || len(page.Hashes) < minNearShingles {
			continue
		}
		fillBins(&bins, page.Hashes)
		for band := range nearBands {
			hash := uint64(band + 1)
			for _, value := range bins[band*nearBins/nearBands : (band+1)*nearBins/nearBands] {
				hash = hash*0x9E3779B97F4A7C15 ^ uint64(value)
				hash ^= hash >> 29
			}
			bands = append(bands, hashedPage{hash, page.ID})
		}
	}
	slices.SortFunc(bands, func(a, b hashedPage) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.id, b.id))
	})
	return bands, nil
}

// fillBins sets each bin to its smallest shingle. An empty bin takes over the value of the next one
// that is not.
func fillBins(bins *[nearBins]uint32, shingles []uint32) {
	for i := range bins {
		bins[i] = math.MaxUint32
	}
	for _, shingle := range shingles {
		mixed := shingle * 0x9E3779B1
		mixed ^= mixed >> 15
		at := mixed % nearBins
		bins[at] = min(bins[at], mixed/nearBins)
	}
	for i := range bins {
		for next := 1; bins[i] == math.MaxUint32 && next < nearBins; next++ {
			if value := bins[(i+next)%nearBins]; value != math.MaxUint32 {
				bins[i] = value
			}
		}
	}
}

// nearPairs returns the pairs of pages that share a band, each page with the first one of it.
func nearPairs(bands []hashedPage) (pairs []nearPair) {
	for first := 0; first < len(bands); {
		next := first + 1
		for ; next < len(bands) && bands[next].hash == bands[first].hash; next++ {
			if len(pairs) < maxNearPairs {
				pairs = append(pairs, nearPair{a: bands[first].id, b: bands[next].id})
			}
		}
		first = next
	}
	order := func(p, q nearPair) int { return cmp.Or(cmp.Compare(p.b, q.b), cmp.Compare(p.a, q.a)) }
	slices.SortFunc(pairs, order)
	return slices.Compact(pairs)
}

// compareNear sets how alike the pages of pairs are, which are sorted by their second pages.
func (j *judge) compareNear(pairs []nearPair) ([]nearPair, error) {
	uses := map[crawl.ID]int{} // of first pages
	for _, pair := range pairs {
		uses[pair.a]++
	}
	held, room := map[crawl.ID][]uint32{}, maxNearBytes
	rest := pairs
	for page, err := range j.crawled.Shingles(j.ctx) {
		if err != nil {
			return nil, err
		}
		for len(rest) > 0 && rest[0].b < page.ID {
			rest = rest[1:]
		}
		for ; len(rest) > 0 && rest[0].b == page.ID; rest = rest[1:] {
			pair := &rest[0]
			pair.percent = similarity(held[pair.a], page.Hashes)
			if uses[pair.a]--; uses[pair.a] == 0 {
				room += 4 * len(held[pair.a])
				delete(held, pair.a)
			}
		}
		if size := 4 * len(page.Hashes); uses[page.ID] > 0 && size <= room {
			room -= size
			held[page.ID] = page.Hashes
		}
	}
	return pairs, nil
}

// similarity returns how many percent of the shingles of two pages are in both (Jaccard index).
// Both are sorted.
func similarity(a, b []uint32) int {
	both := 0
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i] < b[k]:
			i++
		case a[i] > b[k]:
			k++
		default:
			both, i, k = both+1, i+1, k+1
		}
	}
	if all := len(a) + len(b) - both; all > 0 {
		return 100 * both / all
	}
	return 0
}
