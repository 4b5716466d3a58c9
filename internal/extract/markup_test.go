package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestLoads reads how browsers load the parts of a page.
func TestLoads(t *testing.T) {
	const page = `<link rel=stylesheet href=style><link rel="shortcut icon" href=icon><link rel=preload href=preload>
<link rel=next href=next><meta property=og:image content=og><meta property=og:video content=ogvideo>
<img src=img srcset="set 2x"><picture><source srcset=source></picture><img data-src=lazy>
<input type=image src=input><svg><image href=drawn></image></svg>
<video src=video poster=poster><source src=media><track src=track></video><audio src=audio></audio>
<iframe src=frame></iframe><script src=script></script><object data=object></object><embed src=embed>
<a href=anchor></a><area href=area>`
	want := map[Load]string{
		LoadNever:   "anchor area lazy next og ogvideo",
		LoadPassive: "audio drawn icon img input media poster video",
		LoadActive:  "embed frame object preload script set source style track",
	}
	got := map[Load][]string{}
	var s Scanner
	for _, link := range s.Scan([]byte(page), "", Options{}).Links {
		got[link.Load] = append(got[link.Load], string(link.URL))
	}
	for load, names := range want {
		slices.Sort(got[load])
		if found := strings.Join(got[load], " "); found != names {
			t.Errorf("%d: %s, want %s", load, found, names)
		}
	}
}

func TestPositions(t *testing.T) {
	for page, want := range map[string]string{
		"<a href=1>a</a><a href=2>b</a>":                                   "1:1:1 2:1:16",
		"<!doctype html>\r\n<p>\n  <a\n   href=1>a</a> ñandú 𝄞 <a href=2>": "1:3:3 2:4:25",
		"<img src=1 srcset='2, 3 2x'>\n\n<link rel=canonical href=4>":      "1:1:1 2:1:1 3:1:1 4:3:1",
		"<title>\n</title><!--\n--><area href=1>":                          "1:3:4",
		"<script>\n'<a href=0>'\n</script><a href=1>":                      "1:3:10",
		"<meta charset=latin1>\xe9\xe9<a href=1>":                          "1:1:24",
	} {
		var s Scanner
		var got []string
		for _, link := range s.Scan([]byte(page), "", Options{}).Links {
			got = append(got, fmt.Sprintf("%s:%d:%d", link.URL, link.Line, link.Column))
		}
		if found := strings.Join(got, " "); found != want {
			t.Errorf("%q: %s, want %s", page, found, want)
		}
	}
}

func TestFormTargets(t *testing.T) {
	const page = `<form action=get></form><form method=post action="post&amp;"></form><form method=dialog action=dialog></form>
<form></form><form action=" "></form><button formaction=button></button><input type=submit formaction=submit>
<input type=image alt=Send formaction=image><input formaction=text><button type=button formaction=script></button>`
	var s Scanner
	found := s.Scan([]byte(page), "", Options{})
	if got := fmt.Sprintf("%s", found.FormTargets); got != "[get post& button submit image]" || !found.HasForm {
		t.Errorf("targets %s, form %t", got, found.HasForm)
	}
	found = s.Scan([]byte(strings.Repeat("<button formaction=x>", maxFormTargets+10)), "", Options{})
	if len(found.FormTargets) != maxFormTargets || found.HasForm {
		t.Errorf("%d targets, form %t", len(found.FormTargets), found.HasForm)
	}
}

func TestBrokenJSONLD(t *testing.T) {
	for script, want := range map[string]string{
		`{"@type":"Article"}`:                       "",
		`{"@graph":[]}`:                             "",
		`{"@id":"#me","name":"x"}`:                  "",
		` [{"@type":"A"},{"@id":"b"}] `:             "",
		`{"@type":["A","B"]}`:                       "",
		"{\"@type\":\"A\",\"name\":\"two\nlines\"}": "",
		``:                                  "syntax ",
		` `:                                 "syntax ",
		`{"@type":"Article",`:               `syntax {"@type":"Article",`,
		`<!-- {"@type":"A"} -->`:            `syntax <!-- {"@type":"A"} -->`,
		`{"@type":"A"}{"@type":"B"}`:        `syntax {"@type":"A"}{"@type":"B"}`,
		`{"@context":"https://schema.org"}`: `type {"@context":"https://schema.org"}`,
		`[{"@type":"A"},{"name":"b"}]`:      `type [{"@type":"A"},{"name":"b"}]`,
		`"text"`:                            `type "text"`,
		`null`:                              `type null`,
		`[[{"@type":"A"}]]`:                 `type [[{"@type":"A"}]]`,
		`{"@type":7}`:                       `type {"@type":7}`,
		`{"name":"` + strings.Repeat("é", 50) + `"}`: `type {"name":"` + strings.Repeat("é", 35),
	} {
		var s Scanner
		page := s.Scan([]byte(`<script type="Application/LD+JSON; charset=utf-8">`+script+`</script>`), "", Options{})
		got := ""
		for _, broken := range page.BrokenJSONLD {
			kind := "syntax"
			if broken.WithoutType {
				kind = "type"
			}
			got += kind + " " + string(broken.Beginning)
		}
		if got != want {
			t.Errorf("%s: %q, want %q", script, got, want)
		}
	}
	var s Scanner
	page := s.Scan([]byte(strings.Repeat("<script type=application/ld+json></script>", maxBroken+10)), "", Options{})
	if len(page.BrokenJSONLD) != maxBroken {
		t.Errorf("%d broken scripts are kept", len(page.BrokenJSONLD))
	}
}

// TestLate reads what is after the part of a page that search engines read.
func TestLate(t *testing.T) {
	const title, canonical, link = "<title>t</title>", "<link rel=canonical href=/c>", "<a href=/a>a</a>"
	filler := "<!--" + strings.Repeat("-", IndexedLength) + "-->"
	for page, want := range map[string]string{
		title + canonical + link:                                       "false false false",
		title + canonical + link + filler:                              "false false false",
		title + canonical + filler + link:                              "false false true",
		title + filler + canonical + link:                              "false true true",
		filler + title + canonical:                                     "true true false",
		title + canonical + filler + title + canonical + "<img src=i>": "false false false",
		filler + "<area href=/a>":                                      "false false true",
	} {
		var s Scanner
		found := s.Scan([]byte(page), "", Options{})
		if got := fmt.Sprint(found.LateTitle, found.LateCanonical, found.LateLinks); got != want {
			t.Errorf("%s: %s, want %s", strings.ReplaceAll(page, filler, "…"), got, want)
		}
	}
}

func TestPolicy(t *testing.T) {
	for policy, want := range map[string]bool{
		"upgrade-insecure-requests":                      true,
		"default-src 'self'; Upgrade-Insecure-Requests ": true,
		"default-src https:, upgrade-insecure-requests":  true,
		"":                                      false,
		"default-src upgrade-insecure-requests": false,
		"upgrade-insecure-request":              false,
		";;":                                    false,
	} {
		var s Scanner
		page := s.Scan([]byte(`<meta http-equiv=Content-Security-Policy content="`+policy+`">`), "", Options{})
		if UpgradesRequests(policy) != want || page.UpgradesRequests != want {
			t.Errorf("%q: %t, in a page %t", policy, UpgradesRequests(policy), page.UpgradesRequests)
		}
	}
}

// TestShadowRoot reads a template that the parser shows.
func TestShadowRoot(t *testing.T) {
	var s Scanner
	page := s.Scan([]byte(`<div><template shadowrootmode=" Open "><h1>Shown</h1><a href=/a>a</a></template></div><a href=/b>`),
		"", Options{})
	if string(page.H1) != "Shown" || len(page.Links) != 2 {
		t.Errorf("h1 %q, %d links", page.H1, len(page.Links))
	}
}
