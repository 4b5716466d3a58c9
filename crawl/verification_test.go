package crawl_test

import (
	"testing"

	"github.com/mapatools/mapa/crawl"
)

func TestMayListVerification(t *testing.T) {
	for address, want := range map[string]bool{
		"https://example.com/google0123456789abcdef.html":                true,
		"https://example.com/docs/google0123456789abcdef?x=1":            true,
		"https://example.com/yandex_0123456789abcdef.html":               true,
		"https://example.com/baidu_verify_codeva-abc.html":               true,
		"https://example.com/naver0123456789abcdef0123456789abcdef.html": true,
		"https://example.com/pinterest-1a2b3.html":                       true,
		"https://example.com/google.html":                                false,
		"https://example.com/google0123456789abcdef/":                    false,
		"https://example.com/a?google0123456789abcdef.html":              false,
		"https://example.com/naverdeed":                                  false,
		"https://example.com/pinterest-facades":                          false,
		"https://example.com/my-google0123456789abcdef.html":             false,
	} {
		if got := !new(crawl.Options).MayList(address); got != want {
			t.Errorf("%s verifies the owner: %v", address, got)
		}
	}
}
