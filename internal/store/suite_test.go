package store

import (
	"reflect"
	"testing"

	"github.com/mapatools/mapa/crawl/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, storetest.Backend{
		Create: func(t *testing.T) storetest.Store { f, _ := create(t); return f },
		Reopen: func(t *testing.T, s storetest.Store) storetest.Store { return reopen(t, s.(*File), false) },
	})
}

// sampleFile returns a crawl file with the sample crawl, opened again.
func sampleFile(t *testing.T) *File {
	t.Helper()
	f, _ := create(t)
	for _, c := range storetest.Sample() {
		if err := f.Append(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	f = reopen(t, f, false)
	t.Cleanup(func() { closeFile(t, f) })
	return f
}

func equal[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}
