package service

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app/addresses"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/setting"
)

func dump(t *testing.T, value any) string {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func notContains(text, part string) bool { return !strings.Contains(text, part) }

// TestOptions has values that are taken, that are wrong, and that are not for a server or
// not for strangers.
func TestOptions(t *testing.T) {
	t.Parallel()
	owner := open(t, Options{Folder: t.TempDir()})
	defer owner.Close()
	public := open(t, Options{Folder: t.TempDir(), Public: &PublicLimits{}})
	defer public.Close()
	wrongSetting := errors.New("a setting error")
	for _, test := range []struct {
		name, value   string
		owner, public error
	}{
		{"max-pages", "5", nil, nil},
		{"max-pages", "many", wrongSetting, wrongSetting},
		{"max-pages", "-1", wrongSetting, wrongSetting},
		{"exclude", "/private/", nil, nil},
		{"exclude", "(", wrongSetting, wrongSetting},
		{"exclude", strings.Repeat("a", maxOptionSize+1), errTooLong, errTooLong},
		{"exclude", "^/(a|b)*/[^/]{1,200}$", nil, nil},
		{"exclude", strings.Repeat("a{1000}", 3), nil, errTooLarge},
		{"include", "((a{10}b){10}c){9}d{800}e{800}", nil, errTooLarge},
		{"set", `blog=\pL{900}`, nil, errTooLarge},
		{"outputs", "xml,txt", nil, nil},
		{"outputs", "pdf", wrongSetting, wrongSetting},
		{"images", "true", nil, nil},
		{"lang", "es", nil, nil},
		{"trap", "links=10", nil, ErrNotOffered},
		{"sitemap", "https://example.com/sitemap.xml", nil, ErrNotOffered},
		{"sitemap", "/etc/passwd", errSource, ErrNotOffered},
		{"sitemap", "-", errSource, ErrNotOffered},
		{"sitemap", "none", nil, ErrNotOffered},
		{"max-depth", "1", nil, nil},
		{"max-depth", "0", errOnlySeeds, errOnlySeeds},
		{"render", "auto", nil, ErrNotOffered},
		{"render", "(", wrongSetting, ErrNotOffered},
		{"max-render", "5", nil, ErrNotOffered},
		{"browser", "/bin/sh", ErrNotOffered, ErrNotOffered},
		{"browser-no-sandbox", "true", ErrNotOffered, ErrNotOffered},
		{"ignore-robots", "true", nil, ErrNotOffered},
		{"header", "A: b", nil, ErrNotOffered},
		{"user", "a:b", nil, ErrNotOffered},
		{"proxy", "http://10.0.0.1:80", nil, ErrNotOffered},
		{"external", "true", nil, ErrNotOffered},
		{"subdomains", "true", nil, ErrNotOffered},
		{"insecure", "true", nil, ErrNotOffered},
		{"output", "/tmp/x", ErrNotOffered, ErrNotOffered},
		{"publish", "/tmp/x", ErrNotOffered, ErrNotOffered},
		{"list", "/etc/passwd", ErrNotOffered, ErrNotOffered},
		{"log", "-", ErrNotOffered, ErrNotOffered},
		{"cookie-file", "/etc/passwd", ErrNotOffered, ErrNotOffered},
		{"ca-file", "/etc/passwd", ErrNotOffered, ErrNotOffered},
		{"robots-txt", "/etc/passwd", ErrNotOffered, ErrNotOffered},
		{"baseline", "/etc/passwd", ErrNotOffered, ErrNotOffered},
		{"force", "true", ErrNotOffered, ErrNotOffered},
		{"fresh", "true", ErrNotOffered, ErrNotOffered},
		{"no-such", "1", ErrUnknownOption, ErrUnknownOption},
	} {
		for s, want := range map[*Service]error{owner: test.owner, public: test.public} {
			_, _, err := s.readTarget("example.com", map[string][]string{test.name: {test.value}}, storedTarget{})
			option, ok := errors.AsType[*OptionError](err)
			isSetting := errors.As(err, new(*setting.Error))
			if (want == nil) != (err == nil) || err != nil && (!ok || option.Name != test.name) ||
				want == wrongSetting != isSetting || want != nil && want != wrongSetting && !errors.Is(err, want) {
				t.Errorf("%s=%.20s, public %t: %v, want %v", test.name, test.value, s == public, err, want)
			}
		}
	}
	for _, name := range publicOptions {
		if !slices.Contains(owner.OptionNames(), name) {
			t.Errorf("only strangers have %s", name)
		}
	}
	for _, name := range owner.OptionNames() {
		if setting.Find(appcrawl.NewSettings().All(), name) == nil {
			t.Errorf("crawl has no flag %s", name)
		}
	}
}

// TestAddresses has addresses that are no site, and folders of the machine.
func TestAddresses(t *testing.T) {
	t.Parallel()
	s := open(t, Options{Folder: t.TempDir(), Public: &PublicLimits{}})
	defer s.Close()
	for _, wrong := range []string{
		"", " ", "/etc", "./x", "../x", "file:///etc/passwd", "ftp://example.com", "javascript:alert(1)", "http://",
		"https://me:pass@example.com/", "me:pass@example.com", strings.Repeat("a", 300) + ".com",
	} {
		if c, err := s.Start(t.Context(), Request{URL: wrong, Client: "1"}); err == nil {
			t.Errorf("%q: %+v", wrong, c)
		}
	}
	for address, want := range map[string][3]string{
		"Example.com":                 {"example.com", "example.com/", "example.com"},
		"http://www.example.com:80/a": {"www.example.com", "example.com/a", "example.com"},
		"https://shop.example.co.uk":  {"shop.example.co.uk", "shop.example.co.uk/", "example.co.uk"},
		"127.0.0.1:8080":              {"127.0.0.1:8080", "127.0.0.1:8080/", "127.0.0.1:8080"},
	} {
		site, err := addresses.ReadSiteAddress(address)
		if err != nil || [3]string{site.Name, site.Start, site.Owner} != want {
			t.Errorf("%s: %+v, %v", address, site, err)
		}
	}
}
