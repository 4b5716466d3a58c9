package documents

import (
	"fmt"
	"strings"
	"testing"
)

// TestSetPrograms keeps what each program decides of the links of its documents.
func TestSetPrograms(t *testing.T) {
	t.Parallel()
	front := func(links string) string { return "---\ntitle: x\n---\n# Own\n\n" + links }
	custom := map[string]string{"content/docs/known.md": front("[a](/a)")}
	for i := range 30 {
		custom[fmt.Sprintf("content/docs/c%d.md", i)] = front(fmt.Sprintf("[next](/docs/c%d) [own](c%d)", (i+1)%30, i))
	}
	var missing, known strings.Builder
	for i := range 20 {
		fmt.Fprintf(&missing, " [x](#x%c)", 'a'+i)
		fmt.Fprintf(&known, "\n\n## A%c\n\n[x](#a%[1]c)", 'a'+i)
	}
	for name, test := range map[string]struct {
		files map[string]string
		kept  map[string]string // link, by the document and what it writes
	}{
		"elixir": {
			map[string]string{"mix.exs": "", "guides/a.md": "# A", "guides/more/b.md": "# B", "README.md": "# R"},
			map[string]string{
				"guides/a.md b.md": "/guides/more/b.md", "guides/a.md b.html#b": "/guides/more/b.md",
				"guides/a.md c.md":             "c.md",
				"guides/a.md Plug.Conn.html#x": "", "guides/a.md `Plug.Conn`": "", "guides/a.md ../guides/b.md": "../guides/b.md",
			},
		},
		"parts": {
			map[string]string{
				"hugo.toml": "", "content/_index.md": front(""), "content/_includes/a.md": "# A heading",
				"content/b.md": front(""), "archetypes/blog.md": front(""), "content/shared/more.md": "# More",
			},
			map[string]string{
				"content/_includes/a.md #other": "", "content/_includes/a.md #a-heading": "", "content/_includes/a.md ../c/": "",
				"content/_includes/a.md #a-headimg": "#a-headimg", "content/shared/more.md #elsewhere": "",
				"content/_includes/a.md /gone.png": "/gone.png", "archetypes/blog.md image.png": "",
				"content/b.md image.png": "image.png",
			},
		},
		"attributes": {
			map[string]string{"hugo.toml": "", "content/a.md": front("## `EASY` Check {.notranslate lang=en}\n\n## No {text}\n")},
			map[string]string{"content/a.md #easy-check": "", "content/a.md #easy": "#easy", "content/a.md #no": "#no"},
		},
		"headings": {
			map[string]string{"hugo.toml": "", "content/a.md": front("## Get &lt;id&gt;\n\n<OwnParts />\n\n## `<a>` b\n\n## Own ![an image](i.png)\n\nr[a.b]\n")},
			map[string]string{
				"content/a.md #less-than-a-greater-than-b": "", "content/a.md #parts": "",
				"content/a.md #get-ltidgt": "", "content/a.md #own-": "", "content/a.md #own-an-image": "",
				"content/a.md #r-a.b": "", "content/a.md #r-a.c": "#r-a.c",
			},
		},
		"collections": {
			map[string]string{
				"astro.config.mjs": "", "src/content/api/3x/api.mdx": front(""), "src/content/api/3x/api/request.mdx": front(""),
				"src/content/docs/a.md": front(""),
			},
			map[string]string{
				"src/content/docs/a.md /3x/api": "/src/content/api/3x/api.mdx", "src/content/docs/a.md /3x/apis": "/3x/apis",
			},
		},
		"wrapped": {
			map[string]string{
				"docusaurus.config.js": "", "docs/api.mdx": front("```mdx-code-block\nimport API from '@theme/API'\n\n<API />\n```\n"),
				"docs/tab.mdx": front("```mdx-code-block\nimport Tabs from '@theme/Tabs'\n\n<Tabs />\n```\n"), "docs/a.md": front(""),
			},
			map[string]string{"docs/a.md api.mdx#get": "/docs/api.mdx", "docs/a.md tab.mdx#get": "/docs/tab.mdx#get"},
		},
		"shown together": {
			map[string]string{
				"_config.yml": "", "options/outDir.md": front(""), "options/a.md": front("[a](#own) [b](outDir.md#own) [c](../api.mdx#own)"),
				"api.mdx": front("<Details canonicalReference=\"@x!Client#watchQuery:member(1)\" className=\"wide-page\" />"),
			},
			map[string]string{
				"options/a.md #outDir": "", "options/a.md #rootDir": "#rootdir", "options/outDir.md #outDir": "#outdir",
				"options/a.md ../api.mdx#client.watchquery": "/api.mdx",
				"options/a.md ../api.mdx#wide-page":         "/api.mdx#wide-page",
			},
		},
		"translations": {
			map[string]string{
				"astro.config.mjs": "starlight()", "src/content/docs/de/guides/deploy/a.mdx": front(""),
				"src/content/docs/de/b.mdx":             front(""),
				"src/content/docs/en/guides/deploy.mdx": front(""), "src/content/docs/de/guides/cms/a.mdx": front(""),
			},
			map[string]string{
				"src/content/docs/de/b.mdx /de/guides/deploy/": "/src/content/docs/en/guides/deploy.mdx",
				"src/content/docs/de/b.mdx /de/guides/cms/":    "/de/guides/cms/",
			},
		},
		"aliases": {
			map[string]string{"astro.config.mjs": "", "src/content/docs/a.md": front(""), "src/assets/b/c.svg": ""},
			map[string]string{
				"src/content/docs/a.md @assets/b/c.svg":  "/src/assets/b/c.svg",
				"src/content/docs/a.md @/assets/b/c.svg": "/src/assets/b/c.svg",
			},
		},
		"paths of files": {
			custom, map[string]string{
				"content/docs/known.md /docs/knovn": "/docs/knovn", "content/docs/known.md /docs/other": "/docs/other",
				"content/docs/known.md /other": "", "content/docs/known.md other": "other", "content/docs/known.md /docs/i.png": "",
				"content/docs/known.md /app/x": "",
			},
		},
		"paths in front matter": {
			map[string]string{
				"docusaurus.config.js":   "",
				"docs/make/workflow.md":  "---\nslug: /plugins/workflow\n---\n",
				"docs/make/android-1.md": "---\nslug: /plugins/android\n---\n",
			},
			map[string]string{
				"docs/make/workflow.md ./android": "/docs/make/android-1.md", "docs/make/workflow.md ./ios": "./ios",
			},
		},
		"anchors": {
			map[string]string{
				"hugo.toml": "", "content/a.md": front("## Un titre {/*a-title*/}\n\n## Titre [[title]]\n\n[a](#a-title) [b](#title)"),
				"content/b.md": front("<embed src=\"../more.md#RE-/[^]+/\"></embed>"),
			},
			map[string]string{
				"content/a.md #gone": "#gone", "content/a.md b.md#gone": "/content/b.md",
				"content/a.md b.md#RE-/[^]+/": "/content/b.md",
			},
		},
		"anchors that a program makes": {
			map[string]string{"hugo.toml": "", "content/a.md": front("## A section\n\n[own](#own)" + missing.String())},
			map[string]string{"content/a.md #x-a": "", "content/a.md #a-sektion": "", "content/a.md #A_b": "#a_b"},
		},
		"anchors that a program may make": {
			map[string]string{
				"eleventy.config.js": "", "content/b.md": front("[own](#own) [w](#w) [x](#x) [y](#y) [z](#z)"),
				"content/a.md": front("## A section\n\n## B\n\n## C\n\n## D\n\n[a](#a-section) [b](#b) [c](#c) [d](#d) [b](b.md#own)"),
			},
			map[string]string{
				"content/a.md #a-sektion": "#a-sektion", "content/a.md #other": "", "content/a.md #Other": "#other",
				"content/b.md #v": "",
			},
		},
		"anchors of a page that a program makes": {
			map[string]string{
				"eleventy.config.js": "", "content/b.md": front("[w](#w) [x](#x) [y](#y)"), "content/a.md": front(known.String()),
			},
			map[string]string{"content/b.md #z": "", "content/a.md #z": "#z"},
		},
		"paths that a theme makes": {
			map[string]string{
				"hugo.toml": "", "static/img/a.png": "", "static/more/a.png": "",
				"content/a.md": front("![](/img/a.png) ![](/img/b.png) ![](/img/c.png) ![](/img/d.png) ![](/more/a.png) ![](/more/b.png)"),
			},
			map[string]string{
				"content/a.md /img/b.png": "", "content/a.md /more/b.png": "/more/b.png", "content/a.md img/b.png": "img/b.png",
			},
		},
		"paths of its own": {
			map[string]string{
				"content/known.md": front("[a](/a) [b](/b)"), "content/a.md": front("[known](/known)"),
				"content/dogs.md": front(""),
			},
			map[string]string{
				"content/known.md /knovn": "/knovn", "content/known.md /other": "", "content/known.md other.md": "other.md",
				"content/known.md /dog": "",
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := newSet(t, test.files, ".")
			for path := range s.Paths() {
				get(t, s, path)
			}
			got, counted := map[string]string{}, map[string]*counts{}
			for at := range test.kept {
				from, link, _ := strings.Cut(at, " ")
				d, err := s.load(from, 0)
				if err != nil {
					t.Fatal(err)
				}
				w := s.rewriterOf(partName{name: from}, d)
				got[at], _ = w.rewrite(1, &Link{URL: link})
				counted[at] = w.count
			}
			for at, want := range test.kept { // now all paths of sections are known
				from, _, _ := strings.Cut(at, " ")
				s.counts[partName{name: from}] = counted[at]
				if s.Undecided(); s.IsUndecided(s.pathOf(from), 1, 1) {
					got[at] = ""
				}
				if got[at] != want {
					t.Errorf("%s: %q, want %q", at, got[at], want)
				}
			}
		})
	}
}
