package sourcedir_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/sourcedir"
)

const siteURL = "https://example.com/docs/"

// search writes files, and returns an index with the wanted links in them.
func search(t testing.TB, files map[string]string, wanted ...sourcedir.Link) *sourcedir.Index {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		name = filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	index, err := sourcedir.New(siteURL)
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range wanted {
		index.Want(link)
	}
	t.Chdir(folder)
	if err := index.Search(t.Context(), ".", func(fs.FileInfo) bool { return false }); err != nil {
		t.Fatal(err)
	}
	return index
}

// place returns the place of a link as people write it, or "".
func place(index *sourcedir.Index, link sourcedir.Link, text string) string {
	at, found := index.Find(link, text)
	if !found {
		return ""
	}
	return fmt.Sprintf("%s:%d:%d", filepath.ToSlash(at.File), at.Line, at.Column)
}

// TestForms finds the link "Read on" to /docs/guide/setup/ in the forms that sources have.
func TestForms(t *testing.T) {
	const text = "Read on"
	link := sourcedir.Link{URL: "https://example.com/docs/guide/setup/"}
	for _, test := range []struct{ name, source, want string }{
		{"a.md", "See\n  é [Read on](/docs/guide/setup/ \"Title\").", "2:5"},
		{"a.md", "[Read on](/guide/setup/)", "1:1"}, // without the path of the site
		{"a.md", "[Read on](https://example.com/docs/guide/setup/)", "1:1"},
		{"a.md", "[Read on](HTTPS://EXAMPLE.com:443/docs/guide/setup/index.html)", "1:1"},
		{"a.md", "[Read on](//example.com/docs/guide/setup/)", "1:1"},
		{"a.md", "[Read on](../guide/setup.md)", "1:1"},
		{"a.md", "[Read on](./setup.mdx#part)", "1:1"},
		{"a.md", "[Read on](setup/index.md)", "1:1"},
		{"a.md", "[Read on](<setup.html>)", "1:1"},
		{"a.md", "[Read on](s%65tup)", "1:1"},
		{"a.md", "[**Read** `on`](setup)", "1:1"},
		{"a.md", "[Read <em>on</em>](setup)", "1:1"},
		{"a.md", "[Read&nbsp;on](setup)", "1:1"},
		{"a.md", "[Read\non](\n  setup)", "1:1"},
		{"a.md", "[![Read on](image.png)](setup)", "1:1"},
		{"a.md", "![Read on](setup)", "1:1"},
		{"a.md", "[x] and [Read on](setup)", "1:9"},
		{"a.md", "[Read on]({{< ref \"guide/setup.md\" >}})", "1:1"},
		{"a.md", "[Read on]({{% relref \"/guide/setup\" %}}#part)", "1:1"},
		{"a.md", "[Read on]({% link guide/setup.md %})", "1:1"},
		{"a.md", "[Read on]({{ site.baseurl }}/guide/setup)", "1:1"},
		{"a.md", "[Read on]({{ '/guide/setup/' | relative_url }})", "1:1"},
		{"a.md", "[Read on](@/guide/setup.md)", "1:1"},
		{"a.md", "[Read on](@site/guide/setup.md)", "1:1"},
		{"a.md", "see [Read on][Setup]\n\n[setup]: ../guide/setup.md \"Title\"\n", "3:1"},
		{"a.md", "see [Read on][] and [Read on]\n\n[read  on]: <../guide/setup.md>\n", "3:1"},
		{"a.mdx", "text <Link\n  to={useBaseUrl('/guide/setup')}>Read <b>on</b></Link>", "1:6"},
		{"a.html", "<p>\n<a class=x href=\"/docs/guide/setup/\">\n Read on </a>", "2:1"},
		{"a.html", "<a title='>' href=setup>Read on</a>", "1:1"},
		{"a.html", "<a href='{{ url_for(\"guide/setup\") }}'>Read on</a>", "1:1"},
		{"a.html", "<a href=\"{{ url_for(\"guide/setup\") }}\">Read on</a>", "1:1"},
		{"a.html", "<a href={{ \"guide/setup\" | relURL }}>Read on</a>", "1:1"},
		{"a.html", "<a href=\"setup\"><img src=\"x.png\" alt=\"Read on\"></a>", "1:1"},
		{"a.html", "<a {{ with .Params.x }}id=\"{{ . }}\"{{ end }} href=\"setup\">Read on</a>", "1:1"},
		{"a.html", "<a href=\"setup\" aria-label=\"Read on\"><svg/></a>", "1:1"},
		{"a.html", "<area href=\"setup\" alt=\"Read on\">", "1:1"},
		{"a.vue", "<router-link :to=\"'/guide/setup'\">Read on</router-link>", "1:1"},
		{"a.vue", "<nuxt-link v-bind:to=\"{path: '/guide/setup'}\">Read on</nuxt-link>", "1:1"},
		{"a.tsx", "<Button size={1 > 2 ? 1 : 2} href={`/guide/setup`}>{'Read on'}</Button>", "1:1"},
		{"a.erb", "<a href=\"<%= url('/guide/setup') %>\">Read on</a>", "1:1"},
		{"a.php", "<a href=\"<?= BASE ?>/guide/setup\">Read on</a>", "1:1"},
		{"a.md", "[Read {{< br >}} on](setup)", "1:1"},
		{"a.md", "[Read on]({{< ref path=\"setup.md\" lang=\"en\" >}} \"Title\")", "1:1"},
		{"a.md", "{{< note >}}\n[Read on](setup)\n{{< /note >}}", "2:1"},
		{"a.md", "{% comment %}\n{% endcomment %}é {{ x }} [Read on](setup)", "2:27"},
		{"a.mdx", "<Tabs>\n[Read on](setup)\n</Tabs>", "2:1"},
		{"a.mdx", "<Frame src=\"x\" />\n\n<iframe src=\"x\" />\n\n<A href=\"setup\">Read on</A>", "5:1"},
		{"a.html", "<a href=\"setup\">{{ partial \"icon.html\" . }} Read on</a>", "1:1"},
		{"a.njk", "<a href=\"{% url '/guide/setup/' %}\">Read on</a>", "1:1"},
		{"a.html", "<template><a href=setup>Read on</a></template>", "1:11"},
		{"a.vue", "<template>\n  <RouterLink\n    class=\"x\" to=\"/guide/setup\"\n  >Read <Icon/> on</RouterLink></template>", "2:3"},
		{"a.svelte", "{#each all as one}<a href=\"{base}/guide/setup\">Read on</a>{/each}", "1:19"},
		{"a.astro", "---\nconst a = {b: 1}\n---\n<a {...a} href={`${base}/guide/setup`}>Read on</a>", "4:1"},
		{"a.jsx", "x = () => { return <Link onClick={() => { go({a: 1}) }}\n  to={\n    '/guide/setup'\n  }>Read{' '}on</Link> }", "1:20"},
		{"a.jsx", "<Link to={'/guide/setup'}>Read on</Link>\n// <Link to={'/guide/setup'}>Read on</Link>", "1:1"},
		{"a.astro", "<LinkCard title=\"Read on\" href=\"setup\" />", "1:1"},
		{"a.html", "<a href=\"{{ .Scheme }}{{ .Base }}/guide/setup\">Read on</a>", "1:1"},
		{"a.php", "<?php foreach ($all as $one): ?><a href=\"/guide/setup\">Read on</a>", "1:33"},
		{"a.mdx", "<Cards>\n<LinkCard\n  title=\"Read on\" href=\"setup\" />\n</Cards>", "2:1"},
		{"a.rst", "See `Read on <setup.html>`_ and", "1:5"},
		{"a.rst", "See :doc:`Read on <../guide/setup>` and", "1:10"},
		{"a.rst", "See `Read on`_.\n\n.. _Read on: setup.html\n", "3:1"},
		{"a.adoc", "See link:setup.html[Read on].", "1:5"},
		{"a.adoc", "See xref:guide/setup.adoc#part[Read on].", "1:5"},
		{"a.adoc", "See https://example.com/docs/guide/setup/[Read on].", "1:5"},
		{"a.org", "See [[file:setup.org][Read on]].", "1:5"},

		{"a.md", "[Read On](setup)", ""},
		{"a.md", "[Read on](/setup)", ""},
		{"a.md", "[Read on](/other/guide/setup)", ""},
		{"a.md", "[Read on](https://example.org/docs/guide/setup/)", ""},
		{"a.md", "[Read on](http://example.com/docs/guide/setup/)", ""},
		{"a.md", "[Read on](http://example.com:8080/docs/guide/setup/)", ""},
		{"a.md", "[Read on](setup?page=2)", ""},
		{"a.md", "[Read on](up)", ""},
		{"a.md", "[Read on](mailto:setup)", ""},
		{"a.md", "[Read on](/tags/{{ .Name }})", ""},
		{"a.md", "[Read on](..)", ""},
		{"a.md", "[Read on] (setup)", ""},
		{"a.md", "\\[Read on](setup)", ""},
		{"a.md", "`[Read on](setup)`", ""},
		{"a.md", "``` md\n[Read on](setup)\n```\n", ""},
		{"a.md", "~~~~\n```\n[Read on](setup)\n~~~~\n", ""},
		{"a.md", "- item\n\n  ```\n  [Read on](setup)\n  ```\n", ""},
		{"a.md", "<!-- [Read on](setup) -->", ""},
		{"a.md", "[Read on][other]\n\n[setup]: setup\n", ""},
		{"a.md", "[Read on](setup) [Read on](setup)", ""},
		{"a.html", "<script>x = '<a href=\"setup\">Read on</a>'</script>", ""},
		{"a.html", "<!-- <a href=\"setup\">Read on</a> -->", ""},
		{"a.html", "<a href=\"setup\">{{ .Title }}</a>", ""},
		{"a.html", "<a href=\"setup\">{{ i18n \"Read on\" }}</a>", ""},
		{"a.html", "<a href=\"setup\">Read on {{ .Title }}!</a> <a href=\"setup\">Read on</a>", ""},
		{"a.html", "<a href=\"setup\">{{ .Title }}</a> <a href=\"setup\">Read on</a>", ""},
		{"a.html", "<a href=\"{{ if .X }}guide{{ end }}/setup\">Read on</a>", ""},
		{"a.html", "<a href=\"{{ .URL }}\">Read on</a>", ""},
		{"a.njk", "{# <a href=\"setup\">Read on</a> #}", ""},
		{"a.hbs", "{{!-- <a href=\"{{ setup }}\">Read on</a> <a href=\"setup\">Read on</a> --}}", ""},
		{"a.liquid", "{% comment %}<a href=\"setup\">Read on</a>{% endcomment %}", ""},
		{"a.mdx", "{/* [Read on](setup) */}", ""},
		{"a.jsx", "/* <a href=\"setup\">Read on</a> */", ""},
		{"a.jsx", "<Link to=\"setup\" /> Read on", ""},
		{"a.html", "<a href=\"/{{ .Lang }}/guide/setup\">Read on</a>", ""},
		{"a.jsx", "<a title=\"href=setup\">Read on</a>", ""},
		{"a.html", "[Read on](setup)", ""},
		{"a.txt", "[Read on](setup)", ""},
		{"node_modules/a.md", "[Read on](setup)", ""},
		{".git/a.md", "[Read on](setup)", ""},
	} {
		if test.want != "" {
			test.want = test.name + ":" + test.want
		}
		index := search(t, map[string]string{test.name: test.source}, link)
		if got := place(index, link, text); got != test.want {
			t.Errorf("%s: %q: %q, want %q", test.name, test.source, got, test.want)
		}
	}
}

// TestTargets finds other targets than pages of the site.
func TestTargets(t *testing.T) {
	for _, test := range []struct {
		source string
		link   sourcedir.Link
		text   string
		want   string
	}{
		{"see <https://example.org/a?b=1&c>", sourcedir.Link{URL: "https://example.org/a?b=1&c"}, "https://example.org/a?b=1&c", "1:5"},
		{"see https://example.org/a_(b).", sourcedir.Link{URL: "https://example.org/a_(b)"}, "https://example.org/a_(b)", "1:5"},
		{"see [https://example.org/](https://example.org/)", sourcedir.Link{URL: "https://example.org/"}, "https://example.org/", "1:5"},
		{"see <a href='https://example.org'>https://example.org</a>", sourcedir.Link{URL: "https://example.org/"}, "https://example.org", "1:35"},
		{"[x](https://example.org/a)", sourcedir.Link{URL: "https://example.org/a/"}, "x", ""},
		{"![](https://example.org/a.png)", sourcedir.Link{URL: "https://example.org/a.png"}, "", "1:1"},
		{"![](https://example.org/a.png) ![](https://example.org/a.png)", sourcedir.Link{URL: "https://example.org/a.png"}, "", ""},
		{"![](/a.png)", sourcedir.Link{URL: "https://example.com/docs/a.png"}, "", ""},
		{"[Home](/)", sourcedir.Link{URL: "https://example.com/docs/"}, "Home", "1:1"},
		{"[Home](/docs)", sourcedir.Link{URL: "https://example.com/docs/"}, "Home", "1:1"},
		{"[Home](/)", sourcedir.Link{URL: "https://example.com/"}, "Home", "1:1"},
		{"[Q](/a?x=%C3%A9)", sourcedir.Link{URL: "https://example.com/docs/a?x=%C3%A9"}, "Q", "1:1"},
		{"[Ä](Ä b.md)", sourcedir.Link{URL: "https://example.com/docs/%C3%84%20b"}, "Ä", ""},
		{"[Ä](<Ä b.md>)", sourcedir.Link{URL: "https://example.com/docs/%C3%84%20b"}, "Ä", "1:1"},
		{"[Part](a.md#part)", sourcedir.Link{URL: "https://example.com/docs/a/", Fragment: "part"}, "Part", "1:1"},
		{"[Part](a.md#%70art)", sourcedir.Link{URL: "https://example.com/docs/a/", Fragment: "part"}, "Part", "1:1"},
		{"[Part](a.md#other)", sourcedir.Link{URL: "https://example.com/docs/a/", Fragment: "part"}, "Part", ""},
		{"[Part](a.md)", sourcedir.Link{URL: "https://example.com/docs/a/", Fragment: "part"}, "Part", ""},
		{"[Part](#part)", sourcedir.Link{URL: "https://example.com/docs/a/", Fragment: "part", SamePage: true}, "Part", "1:1"},
		{"[Part](#part)", sourcedir.Link{URL: "https://example.com/docs/a/", Fragment: "part"}, "Part", ""},
		{"[“It’s” --- so...](a)", sourcedir.Link{URL: "https://example.com/docs/a"}, "\"It's\" — so…", "1:1"},
		{"[`Map<T>`](a)", sourcedir.Link{URL: "https://example.com/docs/a"}, "Map<T>", "1:1"},
		{"[" + strings.Repeat("word ", 40) + "](a)", sourcedir.Link{URL: "https://example.com/docs/a"}, strings.Repeat("word ", 20)[:99], "1:1"},
	} {
		index := search(t, map[string]string{"a.md": test.source}, test.link)
		got := strings.TrimPrefix(place(index, test.link, test.text), "a.md:")
		if got != test.want {
			t.Errorf("%q: %q, want %q", test.source, got, test.want)
		}
	}
}

// TestOnlyOnePlace names nothing where several places have the link, and all of these by their texts.
func TestOnlyOnePlace(t *testing.T) {
	link := sourcedir.Link{URL: "https://example.com/docs/gone"}
	index := search(t, map[string]string{
		"content/a.md":  "[One](/gone) [Both](/gone)",
		"content/b.md":  "[Two](gone.md)\n[Both](/gone)",
		"layout/x.html": "<a href=/gone>Three</a>",
	}, link)
	for text, want := range map[string]string{
		"One": "content/a.md:1:1", "Two": "content/b.md:1:1", "Three": "layout/x.html:1:1", "Both": "", "Four": "", "": "",
	} {
		if got := place(index, link, text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if !index.Has(link) || index.Has(sourcedir.Link{URL: "https://example.com/docs/other"}) {
		t.Error("Has")
	}
}

// TestHostileFiles reads sources that no generator has.
func TestHostileFiles(t *testing.T) {
	link := sourcedir.Link{URL: "https://example.com/docs/gone"}
	files := map[string]string{
		"good.md":     "[Gone](/gone)",
		"binary.md":   "[Gone](/gone)\x00",
		"large.md":    "[Gone](/gone)" + strings.Repeat(" ", 2<<20),
		"invalid.md":  "\xff\xfe[Other](/gone)\xff",
		"brackets.md": strings.Repeat("[", 1<<20), "closing.md": strings.Repeat("](", 1<<18),
		"angles.html": strings.Repeat("<a ", 1<<18), "quotes.html": strings.Repeat("<a href=\"", 1<<17),
		"braces.html": strings.Repeat("<a {", 1<<18), "ticks.md": strings.Repeat("`a``", 1<<17),
		"fence.md": "```\n" + strings.Repeat("a\n", 1<<18), "line.md": strings.Repeat("x", 1<<20) + "[Last](/gone)",
		"comment.html": "<!--", "script.html": "<script>", "end.md": "\\",
		"many.md": strings.Repeat("[Many](/gone)", 1<<16),
	}
	folder := t.TempDir()
	outside := filepath.Join(folder, "outside.md")
	if err := os.WriteFile(outside, []byte("[Gone](/gone)"), 0o600); err != nil {
		t.Fatal(err)
	}
	index := search(t, files, link)
	for text, want := range map[string]string{"Gone": "good.md:1:1", "Other": "invalid.md:1:3", "Last": "line.md:1:1048577", "Many": ""} {
		if got := place(index, link, text); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, name := range []string{"link.md", "loop"} {
		if err := os.Symlink(map[string]string{"link.md": outside, "loop": "."}[name], name); err != nil {
			t.Skip(err)
		}
	}
	again, _ := sourcedir.New(siteURL)
	again.Want(link)
	if err := again.Search(t.Context(), ".", func(fs.FileInfo) bool { return false }); err != nil {
		t.Fatal(err)
	}
	if got := place(again, link, "Gone"); got != "good.md:1:1" {
		t.Errorf("with links: %q", got)
	}
}

// TestSkip leaves out the folders that the caller names, and ends with its context.
func TestSkip(t *testing.T) {
	link := sourcedir.Link{URL: "https://example.com/docs/gone"}
	search(t, map[string]string{"a.md": "[Gone](/gone)", "public/index.html": "<a href=/gone>Gone</a>"})
	index, _ := sourcedir.New(siteURL)
	index.Want(link)
	if err := index.Search(t.Context(), ".", func(info fs.FileInfo) bool { return info.Name() == "public" }); err != nil {
		t.Fatal(err)
	}
	if got := place(index, link, "Gone"); got != "a.md:1:1" {
		t.Errorf("%q", got)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := index.Search(ended, ".", func(fs.FileInfo) bool { return false }); err != context.Canceled {
		t.Errorf("%v", err)
	}
	if err := index.Search(t.Context(), "missing", nil); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}
