package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// runHelp runs the program and returns its exit code and what it prints.
func runHelp(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, failed bytes.Buffer
	code = Run(t.Context(), args, strings.NewReader(""), &out, &failed)
	return code, out.String(), failed.String()
}

// maxCrawlFlags is the most flags of crawl: a new one needs one that goes, or a setting of mapa.yaml.
const maxCrawlFlags = 66

// TestFlagsOfCrawl counts the flags of crawl, with those of all commands.
func TestFlagsOfCrawl(t *testing.T) {
	code, help, _ := runHelp(t, "crawl", "--help")
	flags := regexp.MustCompile(`(?m)^  (-\w, |    )--[a-z-]+ `).FindAllString(help, -1)
	if code != 0 || len(flags) > maxCrawlFlags || len(flags) < 50 {
		t.Errorf("%d flags, exit code %d", len(flags), code)
	}
}

// TestBriefHelp keeps -h to one screen, with flags that there are.
func TestBriefHelp(t *testing.T) {
	for name, text := range briefTexts {
		code, help, _ := runHelp(t, name, "-h")
		if lines := strings.Count(help, "\n"); code != 0 || lines > 24 || !strings.Contains(help, "mapa "+name+" --help") {
			t.Errorf("%s: %d lines, exit code %d", name, lines, code)
		}
		for line := range strings.Lines(help) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n")) > 80 {
				t.Errorf("%s: too long: %s", name, line)
			}
		}
		c, _, err := newRoot(&app.App{}).Find([]string{name})
		if err != nil {
			t.Fatal(err)
		}
		if len(text.flags) != 12 {
			t.Errorf("%s: %d flags", name, len(text.flags))
		}
		for _, f := range text.flags {
			long := regexp.MustCompile(`--([a-z-]+)`).FindStringSubmatch(f.flag)[1]
			if c.Flags().Lookup(long) == nil && c.InheritedFlags().Lookup(long) == nil {
				t.Errorf("%s has no flag %s", name, long)
			}
		}
	}
}

// TestHelpBegins says what a command does before its flags, in a few lines.
func TestHelpBegins(t *testing.T) {
	heading := regexp.MustCompile(`(?m)^[A-Z][a-z ,]+:\n(?:  -|      --)`)
	eachCommand(newRoot(&app.App{}), func(c *cobra.Command) {
		if !c.HasParent() || c.Name() == "job" || c.DisableFlagParsing {
			return // lists of commands
		}
		code, help, _ := runHelp(t, append(strings.Fields(c.CommandPath())[1:], "--help")...)
		at := heading.FindStringIndex(help)
		if code != 0 || at == nil {
			t.Errorf("%s: exit code %d\n%s", c.CommandPath(), code, help)
		} else if lines := strings.Count(help[:at[0]], "\n"); lines > 15 {
			t.Errorf("%s: %d lines before the flags", c.CommandPath(), lines)
		}
	})
}

// TestSettingsWithoutFlags answers a flag of a setting that has none by the setting's names.
func TestSettingsWithoutFlags(t *testing.T) {
	answered := 0
	eachCommand(newRoot(&app.App{}), func(c *cobra.Command) {
		for name := range settingsWithoutFlags(c) {
			answered++
			code, _, stderr := runHelp(t, append(strings.Fields(c.CommandPath())[1:], "--"+name)...)
			want := "write " + name + " in mapa.yaml, or set " + config.EnvironmentName(name)
			if code != exitUsage || !strings.Contains(stderr, want) {
				t.Errorf("%s --%s: exit code %d, %s", c.CommandPath(), name, code, stderr)
			}
			c.Flags().VisitAll(func(f *pflag.Flag) {
				if f.Name == name {
					t.Errorf("%s has a flag %s too", c.CommandPath(), name)
				}
			})
		}
	})
	if answered < 20 {
		t.Errorf("%d settings", answered)
	}
}

// eachCommand calls do for a command and all below it.
func eachCommand(c *cobra.Command, do func(*cobra.Command)) {
	do(c)
	for _, sub := range c.Commands() {
		eachCommand(sub, do)
	}
}
