package crawl

import (
	"regexp"
	"strings"
)

// verification matches the names of the files by which Google, Yandex, Baidu, Naver and
// Pinterest verify the owner of a site.
var verification = regexp.MustCompile(
	`^(google[0-9a-f]{16}|yandex_[0-9a-f]{8,}|baidu_verify_.+|naver[0-9a-f]{32}|pinterest-[0-9a-f]{5})(\.html)?$`)

// verifiesOwner reports whether a URL is that of a file by which a search engine verifies the
// owner of the site. No sitemap lists it.
func verifiesOwner(address string) bool {
	path, _, _ := strings.Cut(address, "?")
	return verification.MatchString(path[strings.LastIndexByte(path, '/')+1:])
}
