package insight

import (
	"strings"

	"github.com/mapatools/mapa/internal/store"
)

// A Comparison says whether a crawl is compared with the one before. Its JSON is for programs.
type Comparison struct {
	Compared bool `json:"compared"`
	// NotCompared is why not. OtherOptions are the names of the options that differ.
	NotCompared  NotCompared `json:"not_compared,omitempty"`
	OtherOptions []string    `json:"other_options,omitempty"`
}

// NotCompared is why a crawl is not compared with the one before. The names are stable.
type NotCompared string

// The reasons.
const (
	NotComparedFirst      NotCompared = "first"         // no earlier crawl, or one that cannot be read
	NotComparedOptions    NotCompared = "other-options" // it had others, so that what it found is not the same
	NotComparedUnfinished NotCompared = "unfinished"    // the crawl has not ended
	NotComparedLate       NotCompared = "late"          // there was no time
)

// Flags returns the options that differ as they are written on the command line.
func (c *Comparison) Flags() string {
	if len(c.OtherOptions) == 0 {
		return ""
	}
	return "--" + strings.Join(c.OtherOptions, ", --")
}

// ReadComparison returns whether a crawl whose results are written is compared with the one before. It
// is [NotComparedUnfinished] until they are.
func ReadComparison(file *store.File) (c Comparison, err error) {
	c.NotCompared = NotComparedUnfinished
	if err = file.ReadNote(store.NoteComparison, &c); c.Compared {
		c.NotCompared = ""
	}
	return c, err
}
