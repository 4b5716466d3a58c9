package view

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// A TreemapFolder has the pages of a folder that none of the folders in it shows. Inside are those.
type TreemapFolder struct {
	Name, Href            string
	Total, Listed, Broken int
	Inside                []TreemapFolder
}

// A Treemap is a picture of the folders of a site: fields whose areas are the numbers of their pages. No field is too
// small to be touched, and that of the pages of a folder that none in it shows is smaller than those together.
type Treemap struct {
	Fields []TreemapField
}

// A TreemapField is the field of a folder. Its place is in percent of the picture.
type TreemapField struct {
	Name, Href              string // the name is shortened
	Total                   int
	Numbers                 string // of its pages, for readers
	X, Y, Width, Height     float64
	Listed, LeftOut, Broken bool    // there are such pages
	LeftOutFrom, BrokenFrom float64 // where their bands begin, in percent of the height of the field
	Labels                  []TreemapLabel
}

// A TreemapLabel is the name of a field, or what fits of its last part. The class says where it is shown:
// wide, narrow for phones, or everywhere.
type TreemapLabel struct{ Text, Class string }

// Title returns the name with the numbers.
func (f *TreemapField) Title() string { return f.Name + ": " + f.Numbers }

// treemapKinds are the kinds of pages, in the order of their bands.
var treemapKinds = []string{"listed", "out", "broken"}

// maxTreemapName is the number of characters of a name. It bounds the size of the picture.
const maxTreemapName = 24

// NewTreemap draws a folder and those in it, each as one area. It returns nil when there is only one field, which
// shows nothing.
func NewTreemap(c *catalog.Catalog, root TreemapFolder) *Treemap {
	t := &Treemap{}
	t.draw(c, &root, area{0, 0, 100, 100}, root.pages()/maxShares)
	if len(t.Fields) < 2 {
		return nil
	}
	return t
}

// A field has at least one of maxShares parts of the picture, as far as the others leave it that. The pages of a folder
// that none in it shows have at most one of othersShare parts of those together.
const (
	maxShares   = 100
	othersShare = 3
)

// pages returns the number of the pages of a folder with those in it.
func (f *TreemapFolder) pages() int {
	all := f.Total
	for i := range f.Inside {
		all += f.Inside[i].pages()
	}
	return all
}

// sizes returns how large a folder is drawn: the pages that none in it shows, and each folder in it.
func (f *TreemapFolder) sizes(least int) (own int, inside []int) {
	own = f.Total
	if own > 0 {
		own = max(own, least)
	}
	sum := 0
	for i := range f.Inside {
		part, parts := f.Inside[i].sizes(least)
		for _, n := range parts {
			part += n
		}
		inside, sum = append(inside, part), sum+part
	}
	if sum > 0 && own > 0 {
		own = min(own, max(1, sum/othersShare))
	}
	return own, inside
}

// draw adds the fields of a folder in an area.
func (t *Treemap) draw(c *catalog.Catalog, f *TreemapFolder, in area, least int) {
	own, inside := f.sizes(least)
	areas := layOut(append(inside, own), in)
	for i := range f.Inside {
		if inside[i] > 0 {
			t.draw(c, &f.Inside[i], areas[i], least)
		}
	}
	if own > 0 {
		t.Fields = append(t.Fields, newTreemapField(c, f, areas[len(inside)]))
	}
}

func newTreemapField(c *catalog.Catalog, folder *TreemapFolder, place area) TreemapField {
	f := TreemapField{
		Name: format.Truncate(format.ReadableURL(folder.Name), maxTreemapName), Href: folder.Href, Total: folder.Total,
		X: place.x, Y: place.y, Width: place.width, Height: place.height,
	}
	leftOut := max(0, folder.Total-folder.Listed-folder.Broken)
	f.Listed, f.LeftOut, f.Broken = folder.Listed > 0, leftOut > 0, folder.Broken > 0
	f.LeftOutFrom = 100 * float64(folder.Listed) / float64(folder.Total)
	f.BrokenFrom = 100 * float64(folder.Listed+leftOut) / float64(folder.Total)
	f.Numbers = c.Text("treemap.numbers", c.Plural("treemap.total", int64(folder.Total)), c.Count(int64(folder.Listed)),
		c.Count(int64(leftOut)), c.Count(int64(folder.Broken)))
	f.addLabels()
	return f
}

// addLabels adds the longest labels that fit into a wide window and on a phone: the name, its last part, or the
// beginning of that.
func (f *TreemapField) addLabels() {
	last := strings.LastIndexByte(strings.TrimSuffix(f.Name, "/"), '/')
	short := f.Name
	if strings.HasSuffix(f.Name, "/") {
		short = f.Name[last+1:]
	}
	longest := func(width float64) string {
		room := f.room(width)
		switch {
		case columns(f.Name) <= room:
			return f.Name
		case columns(short) <= room:
			return short
		}
		return cut(short, room)
	}
	wide, narrow := longest(wideTreemap), longest(narrowTreemap)
	if wide == narrow {
		f.Labels = append(f.Labels, TreemapLabel{wide, ""})
	} else {
		f.Labels = append(f.Labels, TreemapLabel{wide, "wide"}, TreemapLabel{narrow, "narrow"})
	}
	f.Labels = slices.DeleteFunc(f.Labels, func(l TreemapLabel) bool { return l.Text == "" })
}

// The sizes of the picture and its labels in CSS pixels. The widths are the smallest of a wide window and of a
// phone; the height is that of page.css.
const (
	wideTreemap   = 600
	narrowTreemap = 280
	treemapHeight = 180
	labelColumn   = 7.5 // a letter
	labelMargin   = 12
	labelHeight   = 24
	minLabel      = 3 // columns of the shortest label that is cut
)

// room returns how many columns of a label fit into the field of a picture with a width.
func (f *TreemapField) room(width float64) int {
	if f.Height/100*treemapHeight < labelHeight {
		return 0
	}
	return int((f.Width/100*width - labelMargin) / labelColumn)
}

// columns returns the width of a text.
func columns(text string) (n int) {
	for _, r := range text {
		n += runeColumns(r)
	}
	return n
}

// runeColumns returns the width of a letter: those of East Asia are twice as wide.
func runeColumns(r rune) int {
	if r >= 0x1100 {
		return 2
	}
	return 1
}

// cut returns the beginning of a text with an ellipsis, or "" where there is no room for it.
func cut(text string, room int) string {
	if room < minLabel {
		return ""
	}
	for at, r := range text {
		if room -= runeColumns(r); room < 1 {
			return text[:at] + "…"
		}
	}
	return text
}

// Percent returns a length for an attribute.
func (f *TreemapField) Percent(length float64) string {
	return strconv.FormatFloat(length, 'f', 1, 64) + "%"
}

// An area is a rectangle in percent of the picture.
type area struct{ x, y, width, height float64 }

// aspect is how much wider than high the picture is drawn: between a phone and a wide window.
const aspect = 3.0

// layOut divides an area into one for each number, in proportion, and as close to squares as it can. This is
// "Squarified Treemaps" of Bruls, Huizing and van Wijk.
func layOut(numbers []int, in area) []area {
	order := make([]int, 0, len(numbers))
	rest := 0.0
	for i, n := range numbers {
		if n > 0 {
			order, rest = append(order, i), rest+float64(n)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(numbers[b], numbers[a]) })
	areas := make([]area, len(numbers))
	for len(order) > 0 {
		row, sum := longestRow(numbers, order, rest, in)
		in = placeRow(numbers, row, sum/rest, in, areas)
		order, rest = order[len(row):], rest-sum
	}
	return areas
}

// longestRow returns the first numbers, as many as make their areas along the shorter side closest to squares,
// and their sum.
func longestRow(numbers, order []int, rest float64, in area) (row []int, sum float64) {
	long, short := in.width*aspect, in.height
	if long < short {
		long, short = short, long
	}
	largest := float64(numbers[order[0]])
	worst := 0.0
	for i, at := range order {
		n := float64(numbers[at])
		// Along the row, an area has the share n/(sum+n) of the short side; across, all have that of the sum.
		across := long * (sum + n) / rest
		ratio := max(across*(sum+n)/(short*n), short*largest/((sum+n)*across))
		if i > 0 && ratio > worst {
			return order[:i], sum
		}
		worst, sum = ratio, sum+n
	}
	return order, sum
}

// placeRow places a row, which takes a share of an area, along its shorter side. It returns what is left.
func placeRow(numbers, row []int, share float64, in area, areas []area) (left area) {
	sum := 0
	for _, at := range row {
		sum += numbers[at]
	}
	before := 0.0
	for _, at := range row {
		part := float64(numbers[at]) / float64(sum)
		if in.width*aspect >= in.height {
			areas[at] = area{in.x, in.y + in.height*before, in.width * share, in.height * part}
		} else {
			areas[at] = area{in.x + in.width*before, in.y, in.width * part, in.height * share}
		}
		before += part
	}
	if in.width*aspect >= in.height {
		return area{in.x + in.width*share, in.y, in.width * (1 - share), in.height}
	}
	return area{in.x, in.y + in.height*share, in.width, in.height * (1 - share)}
}
