package report

import "github.com/mapatools/mapa/crawl"

// maxTableBytes is how many bytes of URLs a urlTable holds.
const maxTableBytes = 16 << 20

// urlTable returns URLs by ID. It holds as many as fit and reads the others from the
// crawl.
type urlTable struct {
	file  crawl.Reader
	urls  map[crawl.ID]string
	bytes int
}

func newURLTable(file crawl.Reader) *urlTable {
	return &urlTable{file: file, urls: map[crawl.ID]string{}}
}

func (t *urlTable) add(id crawl.ID, url string) {
	if t.bytes+len(url) <= maxTableBytes {
		t.urls[id] = url
		t.bytes += len(url)
	}
}

func (t *urlTable) url(id crawl.ID) (string, error) {
	if url, held := t.urls[id]; held {
		return url, nil
	}
	link, err := t.file.Link(id)
	return link.URL, err
}
