package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/lint"
	"github.com/spf13/pflag"
)

const example = "../../docs/mapa.yaml"

// TestConfigExample keeps the example one that the program takes, and that shows
// every setting.
func TestConfigExample(t *testing.T) {
	root := newRoot()
	crawl := flagsOf(root, "crawl")
	file, err := readConfig(example, crawl, flagsOf(root, "lint"))
	if err != nil {
		t.Fatal(err)
	}
	if len(file.sites) != 2 {
		t.Fatalf("%d sites", len(file.sites))
	}
	shown := map[string]bool{}
	for i := range file.sites {
		var flags crawlFlags
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.register(set)
		if err := file.apply(set, nil, file.all, file.sites[i].settings); err != nil {
			t.Error(err)
		}
		if _, err := flags.options(file.sites[i].url); err != nil {
			t.Error(err)
		}
		if _, err := flags.publish.options(); err != nil {
			t.Error(err)
		}
		for _, s := range slices.Concat(file.all, file.sites[i].settings) {
			shown[s.name] = true
		}
	}
	showsAll(t, crawl, shown)
}

// showsAll sees that the example sets every flag that can be set there.
func showsAll(t *testing.T, flags *pflag.FlagSet, shown map[string]bool) {
	flags.VisitAll(func(f *pflag.Flag) {
		if !shown[f.Name] && !slices.Contains(notInConfig, f.Name) {
			t.Errorf("the example does not show %s", f.Name)
		}
	})
}

// TestConfigExampleLint does the same for the settings of lint.
func TestConfigExampleLint(t *testing.T) {
	root := newRoot()
	file, err := readConfig(example, flagsOf(root, "crawl"), flagsOf(root, "lint"))
	if err != nil {
		t.Fatal(err)
	}
	var flags lintFlags
	set := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.register(set)
	if err := file.apply(set, nil, file.lint); err != nil {
		t.Error(err)
	}
	options, err := flags.options()
	if err != nil {
		t.Error(err)
	}
	if want := lint.EngineGoogle | lint.EngineBing; options.Engines != want {
		t.Errorf("engines %v, want %v", options.Engines, want)
	}
	shown := map[string]bool{}
	for _, s := range file.lint {
		shown[s.name] = true
	}
	showsAll(t, set, shown)
}

// TestConfigHostile reads files that are no configuration.
func TestConfigHostile(t *testing.T) {
	root := newRoot()
	bomb := "a: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nexclude: [*b,*b,*b,*b]\n"
	for _, text := range []string{bomb, "- x", "exclude: *missing", "? [a]\n: b", "\x00", "rate: {a: {b: c}}", strings.Repeat("[", 100_000)} {
		name := filepath.Join(t.TempDir(), configName)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readConfig(name, flagsOf(root, "crawl"), flagsOf(root, "lint")); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%.40q: error %v", text, err)
		}
	}
}
