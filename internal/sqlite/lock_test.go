package sqlite

import (
	"errors"
	"path/filepath"
	"testing"
)

// TestLocks keeps others from a file as each lock says, and until it is closed.
func TestLocks(t *testing.T) {
	type attempt struct {
		access Access
		copy   bool
	}
	attempts := []attempt{{access: Create}, {access: Write}, {access: Share}, {access: Read}, {Write, true}}
	locked := map[string][]bool{
		"no lock": {false, false, false, false, false}, "whole": {true, true, true, true, true},
		"lock file": {true, true, false, false, true},
	}
	for what, spec := range specs() {
		name := create(t, spec)
		holder, err := Open(t.Context(), name, spec, Write)
		if err != nil {
			t.Fatal(err)
		}
		try := func(want []bool) {
			t.Helper()
			for i, a := range attempts {
				var f *File
				var err error
				if a.copy {
					f, err = OpenCopy(t.Context(), name, filepath.Join(t.TempDir(), "copy"), spec, a.access)
				} else {
					f, err = Open(t.Context(), name, spec, a.access)
				}
				if errors.Is(err, ErrLocked) != want[i] || !want[i] && err != nil ||
					want[i] && err.Error() != name+" is in use by another process" {
					t.Errorf("%s, %+v: %v", what, a, err)
				}
				if f != nil {
					if err := f.Close(); err != nil {
						t.Error(err)
					}
				}
			}
		}
		try(locked[what])
		if err := holder.Close(); err != nil {
			t.Fatal(err)
		}
		try(make([]bool, len(attempts)))
	}
}

// TestCopyKeepsWriters keeps writers from a file with a lock file while its copy is open.
func TestCopyKeepsWriters(t *testing.T) {
	spec := specs()["lock file"]
	name := create(t, spec)
	copied, err := OpenCopy(t.Context(), name, filepath.Join(t.TempDir(), "copy"), spec, Create)
	if err != nil {
		t.Fatal(err)
	}
	if copied.Created() || copied.Name() != name {
		t.Errorf("%s: created %t", copied.Name(), copied.Created())
	}
	if _, err := Open(t.Context(), name, spec, Create); !errors.Is(err, ErrLocked) {
		t.Errorf("a writer next to a copy: %v", err)
	}
	if err := copied.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), name, spec, Create)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
