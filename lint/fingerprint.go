package lint

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
)

// Fingerprint returns a text that stays the same from run to run as long as the
// same rule is broken by the same page of the same file in the same way, wherever
// in the file that is. Findings that count others have one for each rule and
// file.
func (f *Finding) Fingerprint() string {
	parts := []string{f.Rule.ID, filepath.ToSlash(f.File), f.URL, f.Evidence}
	if f.More > 0 {
		parts = []string{f.Rule.ID, filepath.ToSlash(f.File), "more"}
	}
	hash := sha256.New()
	for _, part := range parts {
		hash.Write([]byte(part))
		hash.Write([]byte{0})
	}
	return hex.EncodeToString(hash.Sum(nil)[:16])
}
