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
		if err := CheckVersion(found, 1); !errors.Is(err, ErrVersion) {
			t.Errorf("%d: %v", found, err)
		}
	}
	const want = "made by another version of mapa: it has format 99, and this one reads format 1"
	if err := CheckVersion(99, 1); err.Error() != want {
		t.Error(err)
	}
}
