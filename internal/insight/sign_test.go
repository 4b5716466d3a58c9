package insight_test

import (
	"os"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/insight"
)

// TestSigns holds the signs against the table of the documentation.
func TestSigns(t *testing.T) {
	document, err := os.ReadFile("../../docs/findings.md")
	if err != nil {
		t.Fatal(err)
	}
	english := catalog.For(catalog.English)
	partial := func(action insight.Action, errors int) *insight.Verdict {
		return &insight.Verdict{Kind: insight.Partial, Action: action, Errors: errors}
	}
	for _, test := range []struct {
		verdict *insight.Verdict
		losses  int
		want    insight.Sign
		when    string // in the documentation
	}{
		{&insight.Verdict{Kind: insight.Ready}, 0, insight.SignGood, "nothing needs to be fixed"},
		{&insight.Verdict{Kind: insight.Problems, Warnings: 107}, 0, insight.SignGood, "nothing needs to be fixed"},
		{&insight.Verdict{Kind: insight.Problems, Errors: 1}, 0, insight.SignFix, "there are errors"},
		{&insight.Verdict{Kind: insight.Problems, Cause: "site-copy"}, 0, insight.SignFix, "the verdict names a cause"},
		{&insight.Verdict{Kind: insight.Unusable}, 0, insight.SignBad, "the sitemap cannot be used"},
		{&insight.Verdict{Kind: insight.Ready}, 1, insight.SignBad, "pages that were in the sitemap are missing"},
		{partial(insight.ActionContinue, 1), 0, insight.SignUnknown, "did not end by itself"},
		{partial(insight.ActionRaiseLimit, 0), 0, insight.SignUnknown, "did not see all pages"},
		{partial(insight.ActionRaiseLimit, 1), 0, insight.SignFix, "there are errors"},
		{nil, 0, insight.SignUnknown, "did not end by itself"},
	} {
		if got := insight.SignOf(test.verdict, test.losses); got != test.want {
			t.Errorf("%+v with %d losses: %s, want %s", test.verdict, test.losses, got, test.want)
		}
		name := "| " + english.Text("sign."+string(test.want)) + " (`" + string(test.want) + "`) |"
		for line := range strings.Lines(string(document)) {
			if strings.HasPrefix(line, name) && strings.Contains(line, test.when) {
				name = ""
			}
		}
		if name != "" {
			t.Errorf("no row of the documentation begins with %q and has %q", name, test.when)
		}
	}
}
