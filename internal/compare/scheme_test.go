package compare

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestAlign compares sitemaps of one site that differ in the scheme by the rest of their URLs.
func TestAlign(t *testing.T) {
	for name, test := range map[string]struct {
		old, new string
		aligned  bool
		want     string // changes
	}{
		"equal":       {"http://a.es/ http://a.es/b", "https://a.es/ https://a.es/b", true, ""},
		"changed":     {"https://a.es/ https://a.es/c", "http://a.es/ http://a.es/b", true, "new http://a.es/b removed http://a.es/c"},
		"other hosts": {"http://a.es/ http://z.es/", "https://a.es/ https://z.es/", true, ""},
		"mixed":       {"http://a.es/ https://a.es/b", "https://a.es/", false, "new https://a.es/ removed http://a.es/ removed https://a.es/b"},
		"same scheme": {"https://a.es/", "https://a.es/", false, ""},
		"other site":  {"http://a.es/", "https://b.es/", false, "new https://b.es/ removed http://a.es/"},
	} {
		t.Run(name, func(t *testing.T) {
			var c Comparison
			for _, side := range []struct {
				urls string
				into **Side
			}{{test.old, &c.Old}, {test.new, &c.New}} {
				file := filepath.Join(t.TempDir(), "urls.txt")
				if err := os.WriteFile(file, []byte(strings.ReplaceAll(side.urls, " ", "\n")), 0o600); err != nil {
					t.Fatal(err)
				}
				opened, err := Open(t.Context(), file, nil)
				if err != nil {
					t.Fatal(err)
				}
				defer opened.Close()
				*side.into = opened
			}
			if _, _, aligned := c.Align(); aligned != test.aligned {
				t.Errorf("aligned: %t", aligned)
			}
			var changes []string
			if _, err := compareAll(t.Context(), &c, func(change *Change) error {
				changes = append(changes, string(change.Kind)+" "+change.URL)
				return nil
			}); err != nil {
				t.Fatal(err)
			}
			slices.Sort(changes)
			if got := strings.Join(changes, " "); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// TestAlignedStates merges URLs of both schemes in order, each once.
func TestAlignedStates(t *testing.T) {
	list := newSorter()
	defer list.close()
	for url := range strings.FieldsSeq("http://a.es/ http://a.es/c https://a.es/b https://a.es/c http://a.es/d https://z.es/") {
		if err := list.add([]byte(url), nil); err != nil {
			t.Fatal(err)
		}
	}
	side := &Side{list: list, scheme: "http://", aligned: "https://"}
	var got []string
	for state, err := range side.states(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, state.URL)
	}
	want := "https://a.es/ https://a.es/b https://a.es/c https://a.es/d https://z.es/"
	if strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
