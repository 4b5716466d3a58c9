package publish

import "testing"

// TestCutSiteName removes what most titles end with, and nothing else.
func TestCutSiteName(t *testing.T) {
	links := []link{
		{Title: "Chairs – Shop", Path: "/chairs"}, {Title: "Tables – Shop", Path: "/tables"},
		{Title: "Beds – large – Shop", Path: "/beds"}, {Title: " – Shop", Path: "/"}, {Title: "About - us", Path: "/about"},
		{Title: "/lamps – Shop"},
	}
	cutSiteName(links)
	for i, want := range []string{"Chairs", "Tables", "Beds – large", " – Shop", "About - us", "/lamps"} {
		if links[i].Title != want {
			t.Errorf("%q, want %q", links[i].Title, want)
		}
	}
	few := []link{{Title: "A | Shop", Path: "/a"}, {Title: "B | Shop", Path: "/b"}}
	if cutSiteName(few); few[0].Title != "A | Shop" {
		t.Errorf("of two titles: %q", few[0].Title)
	}
}
