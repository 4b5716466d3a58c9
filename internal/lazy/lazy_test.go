package lazy_test

import (
	"sync"
	"testing"

	"github.com/mapatools/mapa/internal/lazy"
)

func TestValue(t *testing.T) {
	var value lazy.Value[*int]
	made := 0
	newNumber := func() *int { made++; return &made }
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := value.Get(newNumber); got != &made || *got != 1 {
				t.Errorf("got %v", *got)
			}
		})
	}
	all.Wait()
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}
