package sitemap

import (
	"regexp"
	"sync"
)

// pattern returns a regular expression that is compiled when it is first used: most
// programs need few of this package's.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
