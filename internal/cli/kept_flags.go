package cli

import (
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/pflag"
)

// A keptFlag is a flag of a crawl that another crawl of the site needs too, with its values.
type keptFlag []string

// changedFlags have another value in the next crawl, or are for one crawl only.
var changedFlags = []string{"base-url", "output", "max-depth", "fresh", "write-baseline", "quiet", "verbose"}

// secretForms are shown of flags that may hold a password.
var secretForms = map[string]string{
	"user": "NAME:PASSWORD", "header": "HEADER: VALUE", "cookie": "NAME=VALUE", "proxy": "URL",
}

// keptFlagsOf returns the flags of a command line that another crawl of the site needs too.
func keptFlagsOf(flags *pflag.FlagSet) (kept []keptFlag) {
	flags.Visit(func(f *pflag.Flag) {
		value, is := f.Value.(setting.Value)
		if !is || slices.Contains(changedFlags, f.Name) {
			return
		}
		name, texts := "--"+f.Name, value.Texts()
		switch {
		case secretForms[f.Name] != "":
			texts = []string{secretForms[f.Name]}
		case value.Type() == "bool" && slices.Equal(texts, []string{"true"}):
			kept = append(kept, keptFlag{name})
			return
		case value.Type() == "bool":
			kept = append(kept, keptFlag{name + "=false"})
			return
		case value.IsSeparated():
			texts = []string{strings.Join(texts, ",")}
		}
		for _, text := range texts {
			kept = append(kept, keptFlag{name, text})
		}
	})
	return kept
}

// keepFlags adds flags to a command that does not have them.
func keepFlags(command []string, kept []keptFlag) []string {
	own := slices.Clone(command)
	for _, flag := range kept {
		if !slices.Contains(own, flag[0]) {
			command = append(command, flag...)
		}
	}
	return command
}
