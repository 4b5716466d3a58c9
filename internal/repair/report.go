package repair

import "sync"

// A Report lists the files written, the changes, and the problems left.
type Report struct {
	Read     int      // originals that could be opened
	Unopened []error  // why others could not be
	Files    []string // names of the files written to the folder, in order
	Changed  []Note   // what was repaired
	Left     []Note   // what could not be repaired, and what was removed because of it
}

// A Note counts the places that break the same rule. Rule is the ID of a rule of
// package lint, or empty if no rule covers the problem.
type Note struct {
	Rule     string
	Count    int
	Examples []Example // the first few places
}

// An Example is one of the places that a note counts. Line is 0 for a whole file.
type Example struct {
	File string // the location of the original
	Line int
	Text string
}

const maxExamples = 3

// notes collects the changes and the problems left. It is safe for concurrent use.
type notes struct {
	mutex         sync.Mutex
	changed, left []Note
}

// change records a repair.
func (n *notes) change(rule string, e Example) { n.add(&n.changed, rule, e) }

// leave records a problem that was not repaired.
func (n *notes) leave(rule string, e Example) { n.add(&n.left, rule, e) }

func (n *notes) add(list *[]Note, rule string, e Example) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	for i := range *list {
		if note := &(*list)[i]; note.Rule == rule {
			note.Count++
			if len(note.Examples) < maxExamples {
				note.Examples = append(note.Examples, e)
			}
			return
		}
	}
	*list = append(*list, Note{rule, 1, []Example{e}})
}
