package documents

import (
	"os"
	"testing"
)

func BenchmarkSite(b *testing.B) {
	root := os.Getenv("D")
	for range b.N {
		s, _ := Open(&Options{Root: root, Repository: true, Names: []string{root}, Origin: "http://files.invalid", Path: "/"})
		for p := range s.Paths() {
			s.find(unescape(p), 0)
		}
		s.Close()
	}
}
