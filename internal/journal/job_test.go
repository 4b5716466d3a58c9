package journal

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

func TestCheckJobName(t *testing.T) {
	for name, valid := range map[string]bool{
		"news": true, "crawl-20260102-030405": true, "a": true, strings.Repeat("x", 63): true,
		"": false, "-a": false, "a-": false, "News": false, "a.b": false, "a*": false, "a b": false, "a>": false,
		"ü": false, strings.Repeat("x", 64): false, "a.log.b": false, "a\n": false,
	} {
		if err := CheckJobName(name); (err == nil) != valid {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestLayout puts every site into one group, few groups when there are very many sites.
func TestLayout(t *testing.T) {
	for _, n := range []int{1, 10, maxGroups, maxGroups + 1} {
		sites := make([]Site, n)
		for i := range sites {
			sites[i].Host = fmt.Sprint(i, ".example")
		}
		l := newLayout(sites)
		if n > maxGroups && l.groupCount != hashedGroups || n <= maxGroups && l.groupCount != n {
			t.Errorf("%d sites: %d groups", n, l.groupCount)
		}
		found := 0
		for group := range l.groupCount {
			for _, site := range l.sitesOf(group) {
				if found++; l.groupOf(site) != group || l.byHost[sites[site].Host] != site {
					t.Fatalf("%d sites: site %d is in group %d and %d", n, site, group, l.groupOf(site))
				}
			}
		}
		if found != n {
			t.Errorf("%d of %d sites are in a group", found, n)
		}
	}
}

// TestSites reads the list of sites back from its messages.
func TestSites(t *testing.T) {
	var want []Site
	for i := range 20_000 {
		want = append(want, Site{Start: fmt.Sprintf("https://%d.example/", i), Host: fmt.Sprint(i, ".example")})
	}
	messages, err := encodeSites(want)
	if err != nil || len(messages) < 2 {
		t.Fatal(len(messages), err)
	}
	var got []Site
	for _, data := range messages {
		if len(data) > maxMessage {
			t.Errorf("a message of %d bytes", len(data))
		}
		if got, err = decodeSites(got, data, len(want)); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d sites, want %d", len(got), len(want))
	}
}
