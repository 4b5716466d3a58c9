package documents

// A partName names a part of a document.
type partName struct {
	name   string
	number int
}

// A place is where a link begins in its file, from 1.
type place struct{ line, column uint32 }

// placeOf returns a place. What is out of range is that of no link.
func placeOf(line, column int) place { return place{uint32(line), uint32(column)} }

// maxPlaces is how many places of links are kept. Those of others are found again.
const maxPlaces = 4 << 20

// places are those of the links of documents, in the order of the lines of their pages. HTML that
// is a page itself has none.
type places struct {
	kept  map[partName][]place
	count int
}

// keepPlaces keeps the places of the links of a document.
func (s *Set) keepPlaces(of partName, d *document) []place {
	found := make([]place, len(d.links))
	for i := range d.links {
		found[i] = placeOf(d.links[i].Line, d.links[i].Column)
	}
	if d.raw != nil {
		found = nil
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	kept := &s.places
	if kept.count+len(found) > maxPlaces || kept.kept == nil {
		*kept = places{kept: map[partName][]place{}}
	}
	kept.count += len(found) - len(kept.kept[of])
	kept.kept[of] = found
	return found
}

// placesOf returns the places of the links of a part of a document.
func (s *Set) placesOf(of partName) ([]place, error) {
	s.mutex.Lock()
	found, known := s.places.kept[of]
	s.mutex.Unlock()
	if known {
		return found, nil
	}
	d, err := s.load(of.name, of.number)
	if err != nil {
		return nil, err
	}
	return s.keepPlaces(of, d), nil
}

// Position returns the line and column of a link in the file at a path, by those in the page of
// it, or 0.
func (s *Set) Position(escaped string, line, column int) (lineOf, columnOf int) {
	name, number, found := s.inner(escaped)
	if !found {
		return line, column
	}
	places, err := s.placesOf(partName{name, number})
	switch {
	case err != nil: // it is gone
		return 0, 0
	case places == nil:
		return line, column
	case line < 1 || line > len(places):
		return 0, 0
	}
	at := places[line-1]
	return int(at.line), int(at.column)
}
