package repair

import "sync"

// A Report says what became of the files.
type Report struct {
	Files   []string // that were written, in order, as names in the folder
	Changed []Note   // what was mended
	Left    []Note   // what could not be, and what was left out because of it
}

// A Note counts what is alike. Rule is the ID of the rule of package lint that the
// matter breaks, or empty where none does.
type Note struct {
	Rule     string
	Count    int
	Examples []Example // the first
}

// An Example is one of the places that a note counts. Line is 0 where it is a whole
// file.
type Example struct {
	File string // the location of the original
	Line int
	Text string
}

const mostExamples = 3

// notes collects what becomes of the files; faults come from several goroutines.
type notes struct {
	mutex         sync.Mutex
	changed, left []Note
}

func (n *notes) change(rule string, e Example) { n.add(&n.changed, rule, e) }
func (n *notes) leave(rule string, e Example)  { n.add(&n.left, rule, e) }

func (n *notes) add(list *[]Note, rule string, e Example) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for i := range *list {
		if note := &(*list)[i]; note.Rule == rule {
			note.Count++
			if len(note.Examples) < mostExamples {
				note.Examples = append(note.Examples, e)
			}
			return
		}
	}
	*list = append(*list, Note{rule, 1, []Example{e}})
}
