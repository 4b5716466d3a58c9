package statefile

import (
	"errors"
	"testing"
)

// TestCheckVersion refuses other versions with both numbers.
func TestCheckVersion(t *testing.T) {
	if err := CheckVersion(1, 1); err != nil {
		t.Error(err)
	}
	for _, found := range []int{0, 2, -1, 99} {
		err := CheckVersion(found, 1)
		if !errors.Is(err, ErrVersion) || errors.Is(err, ErrNewer) != (found > 1) {
			t.Errorf("%d: %v", found, err)
		}
	}
	for found, want := range map[int]string{
		99: "made by a newer version of mapa: it has format 99, and this one reads format 2",
		1:  "made by another version of mapa: it has format 1, and this one reads format 2",
	} {
		if err := CheckVersion(found, 2); err.Error() != want {
			t.Error(err)
		}
	}
}
