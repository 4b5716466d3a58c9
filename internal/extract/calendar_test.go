package extract

import "testing"

// TestCalendarStarts holds the two quick tests for calendar names against the list
// itself: no name may be missed, with any punctuation around it.
func TestCalendarStarts(t *testing.T) {
	around := []string{""}
	for c, is := range isPunctuation {
		if is {
			around = append(around, string(rune(c)))
		}
	}
	rejected := 0
	for _, name := range calendarNames.list[1:] {
		for _, spelled := range []string{name, string(name[0]-'a'+'A') + name[1:]} {
			for _, before := range around {
				for _, behind := range around {
					word := []byte(before + spelled + behind)
					head := pack(word[:min(len(word), 8)])
					isName := mayBeCalendar(head) && calendarNames.find(trimPunctuation(word)) != 0
					if isName && !mayBeCalendarName(head) {
						t.Errorf("%q is missed", word)
					}
				}
			}
		}
	}
	for _, word := range []string{"many", "out", "general", "list", "market", "quite", "style"} {
		if head := pack([]byte(word)); mayBeCalendar(head) && !mayBeCalendarName(head) {
			rejected++
		}
	}
	if rejected < 5 {
		t.Errorf("only %d words that begin as a name does are told from one", rejected)
	}
}
