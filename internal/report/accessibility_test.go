package report_test

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/programtest"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
)

// checkViews is a script that shows every part, list and panel of a report and checks it. The
// results are in the text of an element with the id "found".
const checkViews = `(async () => {
	const pause = () => new Promise((done) => setTimeout(done, 200));
	const found = {};
	const check = async (name) => {
		await pause();
		found[name] = await ` + programtest.AxeRun + `;
	};
	const show = async (name) => {
		location.hash = name;
		await check(name);
	};
	const data = JSON.parse(document.getElementById("data").textContent);
	for (const section of document.querySelectorAll("main > section")) {
		if (section.id === "pages") continue;
		await show(section.id);
		const part = data.parts.find(({ id }) => id === section.id);
		for (const rule of part ? part.rules : []) await show(section.id + "/" + rule.id);
	}
	await show("tree");
	for (let closed; (closed = document.querySelector("#tree details:not([open])")); await pause()) closed.open = true;
	await check("tree, open");
	for (const row of [1, 2, 5, 9]) await show("page/" + row);
	const text = document.createElement("script");
	text.type = "application/json";
	text.id = "found";
	const dark = matchMedia("(prefers-color-scheme: dark)").matches;
	text.textContent = JSON.stringify({ dark, width: innerWidth, views: found }).replaceAll("<", "\\u003c");
	document.body.append(text);
})();`

// policy is the element that keeps scripts other than the report's from running.
var policy = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`)

// TestAccessibility checks every view of the report with axe-core: the whole report and a
// brief one, light and dark, wide and narrow, in all languages. Width and language change with
// the colors, because every view takes a second.
func TestAccessibility(t *testing.T) {
	script := programtest.AxeScript(t)
	const (
		dark  = "--blink-settings=preferredColorScheme=0"
		light = "--blink-settings=preferredColorScheme=1"
		phone = "--window-size=500,844" // the narrowest there is
	)
	for name, test := range map[string]struct {
		options report.HTMLOptions
		flags   []string
		views   int
	}{
		"light":       {report.HTMLOptions{}, []string{light}, 30},
		"dark":        {report.HTMLOptions{Language: "es"}, []string{dark, phone}, 30},
		"brief":       {report.HTMLOptions{Brief: true}, []string{light, phone}, 9},
		"brief, dark": {report.HTMLOptions{Brief: true, Language: "es"}, []string{dark}, 9},
	} {
		t.Run(name, func(t *testing.T) {
			page := string(format(t, func(ctx context.Context, file *store.File, w io.Writer) error {
				return report.WriteHTML(ctx, file, w, &test.options)
			}, sample(t)))
			page = policy.ReplaceAllString(page, "")
			page = strings.Replace(page, "</body>", "<script>"+script+"</script><script>"+checkViews+"</script></body>", 1)
			document, console := programtest.Browse(t, save(t, []byte(page)), "", test.flags...)
			if console != "" {
				t.Errorf("the console says %s", console)
			}
			_, text, _ := strings.Cut(document, `<script type="application/json" id="found">`)
			text, _, _ = strings.Cut(text, "</script>")
			var found struct {
				Dark  bool
				Width int
				Views map[string]json.RawMessage
			}
			if err := json.Unmarshal([]byte(text), &found); err != nil || len(found.Views) < test.views {
				t.Fatalf("%d views were checked: %v", len(found.Views), err)
			}
			if found.Dark != slices.Contains(test.flags, dark) || found.Width <= 500 != slices.Contains(test.flags, phone) {
				t.Errorf("the page was %d pixels wide, dark: %t", found.Width, found.Dark)
			}
			for _, view := range slices.Sorted(maps.Keys(found.Views)) {
				programtest.CheckAxe(t, view, found.Views[view])
			}
		})
	}
}
