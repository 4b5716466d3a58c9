package report_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// TestAskWhy asks for the second redirect of a chain, in the crawl's spelling and in
// one of a newsletter.
func TestAskWhy(t *testing.T) {
	file := sample(t)
	why, err := report.AskWhy(t.Context(), file, []string{"https://example.com/old"}, urlnorm.KeyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text, err := why.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"found":true`, `"decision":"redirect"`, `"target":"https://example.com/about"`, `"linked_from":1`,
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%s is not in %s", want, text)
		}
	}
	steps := make([][2]string, len(why.Path))
	for i, step := range why.Path {
		steps[i] = [2]string{step.URL, step.By}
	}
	want := [][2]string{{"https://example.com/", ""}, {"https://example.com/older", ""},
		{"https://example.com/old", "redirect"}}
	if !reflect.DeepEqual(steps, want) {
		t.Errorf("way %v, want %v", steps, want)
	}

	spelled := []string{"https://example.com/%6Fld?utm_source=letter", "http://example.com/%6Fld?utm_source=letter"}
	like, err := report.AskWhy(t.Context(), file, spelled,
		urlnorm.KeyOptions{Strip: urlnorm.PageParameters(), SortQuery: true})
	if err != nil || !reflect.DeepEqual(like, why) {
		t.Errorf("got %+v of another spelling, %v, want %+v", like, err, why)
	}
}

// TestWhyUnknownDecision shows what another program wrote into the crawl file.
func TestWhyUnknownDecision(t *testing.T) {
	file := crawlFile(t, []made{{url: "/", page: refused(200, "\x1b[2J", "", 0)}})
	why, err := report.AskWhy(t.Context(), file, []string{"https://example.com/"}, urlnorm.KeyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if text := why.In(catalog.For(catalog.English)); !strings.Contains(text, `not in the sitemap: \x1b[2J`) {
		t.Errorf("%q", text)
	}
}
