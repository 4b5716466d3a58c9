package addresses

import (
	"slices"
	"testing"
)

// TestPageURLs finds the page that people mean, however they write its address.
func TestPageURLs(t *testing.T) {
	for _, typed := range []string{
		"www.example.com/shop", "example.com/shop/", "http://example.com/shop", " https://www.example.com/shop/",
	} {
		for _, page := range []string{
			"https://www.example.com/shop/", "http://example.com/shop", "https://example.com/shop/index.html",
		} {
			if !slices.Contains(PageURLs(typed), page) {
				t.Errorf("%s does not lead to %s: %v", typed, page, PageURLs(typed))
			}
		}
	}
	if all := PageURLs("example.com/index.html"); !slices.Contains(all, "https://example.com/") {
		t.Errorf("/index.html does not lead to /: %v", all)
	}
	for _, typed := range []string{"example.com/shop?page=2", "http://www.example.com/shop/index.html?page=2"} {
		if all := PageURLs(typed); !slices.Contains(all, "https://example.com/shop/?page=2") {
			t.Errorf("%s does not lead to /shop/?page=2: %v", typed, all)
		}
	}
	if first := PageURLs("http://example.com/a/")[0]; first != "http://example.com/a/" {
		t.Errorf("the address as it is comes after %s", first)
	}
}
