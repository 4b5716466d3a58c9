package pageset

import "testing"

// TestUsualValues wants different hashes of all words of changefreq and priorities.
func TestUsualValues(t *testing.T) {
	c := Collector{set: New(Options{Memory: 1 << 20})}
	for _, values := range [][]string{
		{"", "always", "hourly", "daily", "weekly", "monthly", "yearly", "never"},
		{"", "0", "1", "0.0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1.0"},
	} {
		seen := map[uint32]string{}
		for _, value := range values {
			h := c.smallHash([]byte(value))
			if other, taken := seen[h]; taken || h > 255 || (h == 0) != (value == "") {
				t.Errorf("%q has %d, as %q", value, h, other)
			}
			seen[h] = value
		}
	}
}
