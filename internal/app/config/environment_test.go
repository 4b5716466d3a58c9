package config_test

import (
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/config"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
)

// environ returns the lookup of variables.
func environ(variables map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, found := variables[name]
		return value, found
	}
}

// TestMisspelledVariables names the variable that was meant, and leaves variables of other programs alone.
func TestMisspelledVariables(t *testing.T) {
	environment := []string{"MAPA_MAXPAGES=3", "MAPA_MAX_PAGES=3", "MAPA_HOME=/", "HOME=/", "MAX_PAGE=1"}
	got := config.MisspelledVariables(environment, []string{"max-pages", "rate"})
	if want := "MAPA_MAXPAGES is not a setting: did you mean MAPA_MAX_PAGES?"; len(got) != 1 || got[0] != want {
		t.Errorf("%q", got)
	}
}

func TestApplyEnvironment(t *testing.T) {
	t.Parallel()
	a := &app.App{LookupEnv: environ(map[string]string{
		"MAPA_RATE": "5", "MAPA_MAX_PAGES": "7", "MAPA_LASTMOD": "meta,json-ld", "MAPA_TRAP": "repeats=4,chain=-1",
		"MAPA_EXCLUDE": "a,b", "MAPA_FRESH": "true", "MAPA_CONCURRENCY": "2", "MAPA_PREFIX": "",
	})}
	s := appcrawl.NewSettings()
	s.Scope.Prefix = "/docs"
	if err := config.ApplyEnvironment(a, s.All(), []string{"concurrency"}); err != nil {
		t.Fatal(err)
	}
	if s.Access.Rate.Limit() != 5 || s.Limits.Pages != 7 || s.Access.Concurrency != access.DefaultConcurrency ||
		s.Fresh || s.Scope.Prefix != "/docs" {
		t.Errorf("%+v", s)
	}
	if !reflect.DeepEqual(s.LastMod, []string{"meta", "json-ld"}) ||
		!reflect.DeepEqual(s.Scope.Exclude, []string{"a,b"}) ||
		!reflect.DeepEqual(s.Traps, map[string]int{"repeats": 4, "chain": -1}) {
		t.Errorf("%v, %v, %v", s.LastMod, s.Scope.Exclude, s.Traps)
	}
	a.LookupEnv = environ(map[string]string{"MAPA_RATE": "fast"})
	err := config.ApplyEnvironment(a, s.All(), nil)
	if wrong := (*config.EnvironmentError)(nil); !errors.As(err, &wrong) || wrong.Name != "MAPA_RATE" {
		t.Errorf("%v", err)
	}
}

// TestConfigVariables expands $NAME only in a file that is named, and only as a whole
// value.
func TestConfigVariables(t *testing.T) {
	a := &app.App{LookupEnv: environ(map[string]string{"TOKEN": "secret"})}
	read := func(name, text string) (*appcrawl.Settings, error) {
		t.Chdir(t.TempDir())
		if err := os.WriteFile(config.DefaultName, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		s := appcrawl.NewSettings()
		file, err := config.Read(a, name, config.Tables{Crawl: s.All()})
		if err != nil {
			return nil, err
		}
		return s, apply(file.Crawl(config.Site{}), s.All())
	}
	const text = "user-agent: $TOKEN\nnews: http://$TOKEN\nheader: [$TOKEN]\n"
	s, err := read(config.DefaultName, text)
	if err != nil || s.Access.UserAgent != "secret" || s.Publish.News != "http://$TOKEN" ||
		s.Access.Header[0] != "secret" {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err = read("", text); err != nil || s.Access.UserAgent != "$TOKEN" || s.Access.Header[0] != "$TOKEN" {
		t.Errorf("found, not named: %+v, %v", s, err)
	}
	_, err = read(config.DefaultName, "cookie: $MISSING\n")
	if err == nil || !strings.Contains(err.Error(), "MISSING is not set") {
		t.Errorf("%v", err)
	}
	for _, outside := range []string{"output: ../up\n", "output: /tmp/x\n", "baseline: ../known.json\n"} {
		if _, err := read("", outside); err == nil || !strings.Contains(err.Error(), "outside the current folder") {
			t.Errorf("%s: %v", outside, err)
		}
		if _, err := read(config.DefaultName, outside); err != nil {
			t.Errorf("%s: %v", outside, err)
		}
	}
}

func TestReadCookies(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "cookies.txt")
	lines := []string{
		"# Netscape HTTP Cookie File", "",
		"example.com\tFALSE\t/\tFALSE\t0\tsession\t1",
		".example.com\tTRUE\t/\tTRUE\t4102444800\tsecure\ta=b",
		"#HttpOnly_example.com\tFALSE\t/docs\tFALSE\t0\tdocs\t2",
		"example.com\tFALSE\t/\tFALSE\t1000\texpired\t3",
		"other.example\tTRUE\t/\tFALSE\t0\tother\t4",
		"www.example.com\tFALSE\t/\tFALSE\t0\twww\t5",
	}
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\r\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string]string{
		"https://example.com/":       "session=1 secure=a=b",
		"http://example.com/docs/a":  "session=1 docs=2",
		"http://EXAMPLE.com/docsy":   "session=1",
		"https://www.example.com/":   "secure=a=b www=5",
		"https://notexample.com/":    "",
		"https://other.example:8443": "other=4",
	} {
		start, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		got, err := access.ReadCookies(name, start, time.Unix(2000, 0))
		if err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: %q, %v, want %q", address, got, err, want)
		}
	}
	if err := os.WriteFile(name, []byte("session=1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := access.ReadCookies(name, &url.URL{}, time.Now()); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Errorf("%v", err)
	}
}
