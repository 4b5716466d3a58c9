package cli

import (
	"errors"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// goOn is what to do about a crawl that is not finished.
const goOn = "Run the same command again to go on where it stopped."

// isCut reports whether a crawl was cut off and can be gone on with.
func isCut(err error) bool {
	return errors.Is(err, crawl.ErrStopped) || errors.Is(err, crawl.ErrOutage)
}

// cutWords say what cut a crawl off.
func cutWords(cut error, p *crawl.Progress) string {
	switch {
	case !errors.Is(cut, crawl.ErrOutage):
		return "interrupted"
	case p.Unanswered == 0:
		return "the site does not answer"
	}
	return "the site stopped answering: " + format.Plural(p.Unanswered, "address") + " in a row, and the first page when asked again"
}

// cutCode is the exit code of a crawl that was cut off. Of an interruption
// [explain] knows by itself.
func cutCode(cut error) error {
	if errors.Is(cut, crawl.ErrOutage) {
		return &incomplete{exitPart}
	}
	return nil
}
