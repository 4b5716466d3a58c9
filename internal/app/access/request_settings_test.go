package access

import (
	"net/url"
	"strings"
	"testing"
)

// TestHeaderLines refuses headers of several lines, without their values in the error.
func TestHeaderLines(t *testing.T) {
	for name, s := range map[string]*RequestSettings{
		"header": {Header: []string{"X-Token: a\ns3cret"}},
		"name":   {Header: []string{"X\r\nToken: s3cret"}},
		"cookie": {Cookie: "id=a\r\ns3cret"},
	} {
		_, err := s.headerFor(&url.URL{Scheme: "https", Host: "site.example"})
		if err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
