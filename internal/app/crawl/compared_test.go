package crawl

import (
	"maps"
	"slices"
	"testing"

	"github.com/mapatools/mapa/internal/app/setting"
)

// TestComparedOptions says for each setting of a crawl whether two crawls must share it to be compared.
func TestComparedOptions(t *testing.T) {
	values := map[string]string{ // that are not the default, and another one
		"prefix": "/a", "include": "x", "subdomains": "true", "strip-params": "ref", "documents": "pdf", "feeds": "true",
		"clean-urls": "true", "orphans": "list", "ignore-noindex": "true", "ignore-robots": "true",
		"base-url": "https://a.example/",
		"sitemap":  "https://a.example/sitemap.xml", "list": "urls.txt", "log": "access.log",
		"max-pages": "7", "max-depth": "7", "max-bytes": "7", "render": "auto", "max-render": "7",
		"user-agent": "me", "user": "me:secret", "cookie": "a=b", "cookie-file": "cookies.txt", "header": "A: b",
	}
	for i := range NewSettings().All() {
		with := NewSettings()
		option := &with.All()[i]
		if option.Name == "link-policy" {
			continue // entries of mapa.yaml, about links
		}
		value, compared := values[option.Name]
		if !compared {
			value = otherValue(option)
		}
		if err := option.Value.Set(value); err != nil {
			t.Fatalf("%s: %v", option.Name, err)
		}
		delete(values, option.Name)
		var want []string
		if compared {
			want = []string{option.Name}
		}
		if got := NewSettings().OtherOptions(with); !slices.Equal(got, want) {
			t.Errorf("%s newly set: %q differ", option.Name, got)
		}
		if got := with.OtherOptions(NewSettings()); !slices.Equal(got, want) {
			t.Errorf("%s not set any more: %q differ", option.Name, got)
		}
		if got := with.OtherOptions(with); got != nil {
			t.Errorf("%s set twice: %q differ", option.Name, got)
		}
	}
	if len(values) > 0 {
		t.Errorf("unknown settings: %v", slices.Sorted(maps.Keys(values)))
	}
}

// otherValue returns a value of a setting that is probably not its default.
func otherValue(s *setting.Setting) string {
	switch s.Value.Type() {
	case "bool":
		return "true"
	case "int":
		return "3"
	case "duration":
		return "3m"
	case "rate":
		return "3"
	case "NAME=N":
		return "depth=3"
	case "NAME=VALUE":
		return "a=b"
	}
	return "x"
}

// TestComparedValues compares crawls that both set an option.
func TestComparedValues(t *testing.T) {
	for _, test := range []struct {
		name, option    string
		before, now     []string
		areComparedWith bool
	}{
		{"another limit", "max-pages", []string{"7"}, []string{"8"}, false},
		{"another order", "documents", []string{"pdf", "text"}, []string{"text", "pdf"}, true},
		{"another log", "log", []string{"monday.log"}, []string{"tuesday.log"}, true},
		{"another list", "list", []string{"a.txt"}, []string{"b.txt"}, false},
		{"another password for a sitemap", "sitemap", []string{"https://a:b@c.example/s.xml"},
			[]string{"https://d:e@c.example/s.xml"}, true},
		{"another cookie", "cookie", []string{"a=b"}, []string{"c=d"}, true},
		{"another password", "user", []string{"me:a"}, []string{"me:b"}, true},
		{"another value of a header", "header", []string{"Authorization: a"}, []string{"authorization: b"}, true},
		{"another header", "header", []string{"Authorization: a"}, []string{"Cookie: a=b"}, false},
		{"no rendering", "render", []string{"never"}, []string{""}, true},
		{"another pattern of pages to render", "render", []string{"/app/"}, []string{"/shop/"}, false},
	} {
		before, now := NewSettings(), NewSettings()
		for settings, texts := range map[*Settings][]string{before: test.before, now: test.now} {
			if err := setting.Find(settings.All(), test.option).Set(texts); err != nil {
				t.Fatalf("%s: %v", test.name, err)
			}
		}
		if got := now.OtherOptions(before); (got == nil) != test.areComparedWith {
			t.Errorf("%s: %q differ", test.name, got)
		}
	}
}
