package crawlfile

import (
	"time"

	"github.com/mapatools/mapa/internal/store"
)

// ChangesName is the list of what changed since the previous crawl, one JSON object
// per line.
const ChangesName = "changes.jsonl"

// TimeOf returns when a crawl requested its start page.
func TimeOf(file *store.File) (time.Time, error) {
	start, _, err := file.Page(1)
	return start.Page.Time, err
}
