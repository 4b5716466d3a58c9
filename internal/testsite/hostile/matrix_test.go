package hostile

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/programtest"
)

const textCount = 54

// A material is what the commands of the matrix read: two crawls of a site of hostile
// texts in one folder, and sitemaps with the texts.
type material struct {
	url      string
	dir      string
	crawls   []run // text, then json
	sitemaps []string
}

// gather crawls the site of texts twice.
func gather(t *testing.T) material {
	var generation atomic.Int32
	server, err := Start(TextSite(func() int { return int(generation.Load()) }), Small)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	m := material{url: server.URL, dir: t.TempDir()}
	settings := "images: true\nnews: N\napart: [images, news, videos]\n"
	if err := os.WriteFile(filepath.Join(m.dir, "mapa.yaml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "json"} {
		m.crawls = append(m.crawls, execute(t, m.dir, 2*time.Minute, 0, "crawl", m.url, "-o", "out", "--rate", "0",
			"--outputs", "xml,txt,html,rss,atom", "--assets", "--format", format))
		generation.Add(1)
	}
	sitemaps := filepath.Join(m.dir, "maps")
	if err := os.Mkdir(sitemaps, 0o700); err != nil {
		t.Fatal(err)
	}
	// One half of the sitemaps is compared with the other.
	for half := range 2 {
		text := index(textCount/2, func(i int) string { return fmt.Sprintf("https://example.com/sitemap-%d.xml", 2*i+half) })
		if err := os.WriteFile(filepath.Join(sitemaps, fmt.Sprintf("half-%d.xml", half)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, text := range Texts {
		names := []string{fmt.Sprintf("sitemap-%d.xml", i)}
		if named := strings.NewReplacer("/", "_", "\x00", "").Replace(text.Value); len(named) < 200 {
			names = append(names, named+".xml")
		}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(sitemaps, name), []byte(TextSitemap("https://example.com", text.Value)),
				0o600); err != nil {
				t.Logf("no file of the name %q: %v", name, err)
				continue
			}
			m.sitemaps = append(m.sitemaps, filepath.Join("maps", name))
		}
	}
	plain := filepath.Join(m.dir, "urls.txt")
	var lines strings.Builder
	for _, text := range Texts {
		fmt.Fprintf(&lines, "https://example.com/%s\n%[1]s\n", text.Value)
	}
	if err := os.WriteFile(plain, []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMatrix puts hostile texts through every command in every format.
func TestMatrix(t *testing.T) {
	programtest.SkipShort(t, "it runs every command in every format")
	if n := len(Texts); n != textCount {
		t.Fatalf("%d texts, not %d", n, textCount)
	}
	m := gather(t)
	for i, format := range []string{"text", "json"} {
		t.Run("crawl/"+format, func(t *testing.T) {
			checkRun(t, format, []run{m.crawls[i]})
			if m.crawls[i].code != 0 {
				t.Logf("exit code %d", m.crawls[i].code)
			}
		})
	}
	t.Run("crawl/files", func(t *testing.T) { checkFiles(t, filepath.Join(m.dir, "out")) })

	t.Run("watch", func(t *testing.T) {
		checkRun(t, "jsonl", []run{
			execute(t, m.dir, time.Minute, 0, "watch", m.url, m.url+"/sitemap.xml", "--cross-host", "--rate", "0"),
		})
	})

	formats := map[string][]string{
		"announce":     {"text", "json"},
		"build":        {"text", "json"},
		"watch status": {"text", "json"},
		"list":         {"text", "jsonl", "csv"},
		"lint":         {"text", "json", "jsonl", "sarif", "junit", "github", "html"},
		"why":          {"text", "json"},
		"report":       {"text", "html", "csv", "json", "jsonl", "sarif", "junit", "github"},
		"diff":         {"text", "json", "jsonl", "html"},
		"rules":        {"text", "json"},
	}
	for command, names := range formats {
		for _, format := range names {
			t.Run(command+"/"+format, func(t *testing.T) {
				t.Parallel()
				own := m
				own.dir = t.TempDir() // programs that open one crawl file at once are not what is tested here
				// os.CopyFS refuses names that are not UTF-8.
				if output, err := exec.Command("cp", "-R", m.dir+"/.", own.dir).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, output)
				}
				var runs []run
				for _, args := range invocations(command, own, format == names[0]) {
					all := slices.Concat(strings.Fields(command), []string{"--format", format}, args)
					runs = append(runs, execute(t, own.dir, time.Minute, 0, all...))
				}
				checkRun(t, format, runs)
			})
		}
	}
}

// invocations returns the arguments of every run of a command. With isTyped, they also
// hold each text where the user types something, because it may come from elsewhere, and
// some of the runs that differ little between formats.
func invocations(command string, m material, isTyped bool) [][]string {
	var all [][]string
	typed := func(atOnce int, before, after []string) {
		if !isTyped {
			return
		}
		var values []string
		for _, text := range Texts {
			values = append(values, strings.ReplaceAll(short(text.Value), "\x00", ""))
		}
		for some := range slices.Chunk(values, atOnce) {
			all = append(all, slices.Concat(before, some, after))
		}
	}
	switch command {
	case "announce":
		all = append(all, []string{"out", "--base-url", m.url}, []string{m.url + "/sitemap.xml", "--dry-run"})
		for i := range m.sitemaps {
			if isTyped && i%8 == 0 {
				all = append(all, []string{
					m.sitemaps[i], "--base-url", m.url, "--force", "lint,host,status,robots", "--all", "--dry-run",
				})
			}
		}
		typed(1, []string{"--"}, nil)
	case "build":
		site := []string{"--base-url", "https://example.com/", "--force", "-o"}
		all = append(all, slices.Concat([]string{"maps", "urls.txt"}, site, []string{"built"}),
			[]string{"urls.txt", "--strict", "--base-url", "https://example.com/"})
		typed(1, slices.Concat([]string{"urls.txt"}, site), nil)
	case "watch status":
		all = append(all, nil)
	case "list":
		all = append(all, m.sitemaps, []string{"urls.txt"}, []string{m.url})
		typed(7, []string{"--"}, nil)
	case "lint":
		all = append(all, []string{"maps", "--base-url", "https://example.com/"}, []string{"urls.txt"},
			[]string{m.url}, []string{"maps", "--crawl", "out"})
		typed(7, []string{"--"}, nil)
	case "why":
		for i := range Texts {
			all = append(all, []string{fmt.Sprintf("%s/text-%d", m.url, i), "out"})
			if isTyped {
				all = append(all, []string{fmt.Sprintf("%s/move-%d", m.url, i), "out"})
			}
		}
		typed(1, []string{"--"}, []string{"out"})
	case "report":
		all = append(all, []string{"out"})
		typed(1, []string{"out", "--reason"}, nil)
	case "diff":
		all = append(all, []string{"out/crawl.previous.sqlite", "out"}, []string{"urls.txt", "out"})
		all = append(all, []string{"maps/half-0.xml", "maps/half-1.xml"})
		for i := range m.sitemaps[1:] {
			if isTyped && i%2 == 0 {
				all = append(all, []string{"--", m.sitemaps[i], m.sitemaps[i+1]})
			}
		}
		typed(1, []string{"--", "urls.txt"}, nil)
	case "rules":
		all = append(all, nil)
		typed(1, []string{"--"}, nil)
	}
	return all
}

// checkRun checks what a command wrote, by its format.
func checkRun(t *testing.T, format string, runs []run) {
	t.Helper()
	problems := map[string]bool{}
	written := 0
	for _, r := range runs {
		if r.code < 0 {
			problems["it did not end"] = true
		}
		if r.stdout != "" {
			written++
			for _, problem := range formatProblems(format, r.stdout) {
				problems[problem] = true
			}
		}
		for _, problem := range formatProblems("text", r.stderr) {
			problems["standard error: "+problem] = true
		}
	}
	t.Logf("%d runs, %d with output", len(runs), written)
	if written == 0 {
		problems["no run wrote anything"] = true
	}
	reportSome(t, problems)
}

// checkFiles checks every file that a crawl wrote, by its name.
func checkFiles(t *testing.T, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	problems := map[string]bool{}
	var names []string
	for _, entry := range entries {
		format := strings.TrimPrefix(filepath.Ext(entry.Name()), ".")
		if format == "sqlite" || entry.IsDir() {
			continue
		}
		names = append(names, entry.Name())
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found := []string{validity(format, string(text))}
		if format == "csv" || format == "jsonl" || entry.Name() == "report.html" {
			found = formatProblems(format, string(text))
		} else {
			found = append(found, formatProblems("published", string(text))...)
		}
		for _, problem := range found {
			if problem == "" {
				continue
			}
			problems[entry.Name()+": "+problem] = true
		}
	}
	t.Logf("files: %s", strings.Join(names, ", "))
	for _, want := range []string{"sitemap.xml", "broken.csv", "report.html", "changes.jsonl", "urllist.txt",
		"sitemap.html", "rss.xml", "atom.xml"} {
		if !slices.Contains(names, want) {
			problems[want+" is missing"] = true
		}
	}
	reportSome(t, problems)
}

// reportSome reports at most ten problems.
func reportSome(t *testing.T, problems map[string]bool) {
	t.Helper()
	list := slices.Sorted(maps.Keys(problems))
	if len(list) > 10 {
		list = append(list[:10], fmt.Sprintf("and %d more", len(list)-10))
	}
	if len(list) > 0 {
		t.Error(strings.Join(list, "\n"))
	}
}
