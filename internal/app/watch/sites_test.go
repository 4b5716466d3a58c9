package watch

import (
	"slices"
	"testing"

	"github.com/mapatools/mapa/watch"
)

func TestKnownNames(t *testing.T) {
	known := []watch.Site{
		{Name: "plain.example", Origin: "http://plain.example"}, {Name: "https://root.example/"},
		{Name: "both.example", Origin: "https://both.example"}, {Name: "https://both.example"},
		{Name: "https://feed.example/feed.xml"},
	}
	for _, test := range []struct{ sites, want []string }{
		{[]string{"http://plain.example/", "plain.example"}, []string{"plain.example"}},
		{[]string{"https://plain.example/"}, []string{"https://plain.example/"}},
		{[]string{"root.example"}, []string{"https://root.example/"}},
		{[]string{"both.example", "https://both.example"}, []string{"both.example", "https://both.example"}},
		{[]string{"https://feed.example/feed.xml", "feed.example"}, []string{"feed.example", "https://feed.example/feed.xml"}},
		{[]string{"new.example", "http://new.example/", "http://new.example"}, []string{"http://new.example/"}},
	} {
		if got := knownNames(test.sites, known); !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.sites, got, test.want)
		}
	}
}
