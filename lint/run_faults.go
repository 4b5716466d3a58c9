package lint

import (
	"sync"

	"github.com/mapatools/mapa/sitemap"
)

// faultRouter delivers the faults that readers report to the checks of their
// files. It holds the faults of a file until its check begins.
type faultRouter struct {
	mutex sync.Mutex
	files map[string]*fileFaults // by location
}

type fileFaults struct {
	held []*sitemap.Fault
	take func(*sitemap.Fault)
}

func (f *faultRouter) file(location string) *fileFaults {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.files == nil {
		f.files = map[string]*fileFaults{}
	}
	file := f.files[location]
	if file == nil {
		file = &fileFaults{}
		f.files[location] = file
	}
	return file
}

// report is called by the goroutine that opens or reads the file.
func (f *faultRouter) report(location string, fault *sitemap.Fault) {
	file := f.file(location)
	if file.take != nil {
		file.take(fault)
		return
	}
	file.held = append(file.held, fault)
}

// subscribe calls take with the faults of a file so far and with those to come.
func (f *faultRouter) subscribe(location string, take func(*sitemap.Fault)) {
	file := f.file(location)
	for _, fault := range file.held {
		take(fault)
	}
	file.held, file.take = nil, take
}

// unsubscribe forgets a file.
func (f *faultRouter) unsubscribe(location string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	delete(f.files, location)
}
