package addresses

import (
	"errors"
	"testing"
)

// TestShortIP refuses numbers that are no IP address as people write them.
func TestShortIP(t *testing.T) {
	for address, valid := range map[string]bool{
		"127.0.0.1": true, "http://127.0.0.1:8080/a": true, "127.0.0.1.": true, "[::1]:80": true, "1.2.3.example": true,
		"1.2.3": false, "http://1.2.3/": false, "user:password@1.2:80": false, "http://1": false, "256.1.1.1": false,
	} {
		if _, err := ReadStart(address); valid != (err == nil) || !valid && !errors.Is(err, ErrInvalidURL) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
