package folder

import "testing"

func TestPlaces(t *testing.T) {
	var p places
	for path, found := range map[string]place{
		"/docs/a.html":  {name: "a.html"},
		"/docs/b":       {name: "b.html"},
		"/docs/c/":      {name: "c/index.html", address: "/docs/c/"},
		"/docs/d.html":  {name: "d.html", address: "/docs/d"},
		"/docs/missing": {},
		"/docs/":        {},
		"/other":        {},
	} {
		if at, ok := p.get([]byte(path), "/docs/"); ok {
			t.Errorf("%s: %+v before it is set", path, at)
		}
		p.set(path, "/docs/", found)
		if at, ok := p.get([]byte(path), "/docs/"); !ok || at != found {
			t.Errorf("%s: %+v, %t, want %+v", path, at, ok, found)
		}
	}
	if len(p.files) != 1 {
		t.Errorf("%d paths are hashes, want 1", len(p.files))
	}
}
