package web

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/format"
)

// ownOptions is the part of a form with the options that only the owner of a server is
// offered. It shows no secrets: their fields are empty.
type ownOptions struct {
	BaseURL      string
	IgnoreRobots bool
	Flags        string // options without a field, one a line
	Names        string // of the options that have no field
	Stored       bool   // a password or a cookie is
	OpenAccess   bool   // the fields for a password are unfolded
	OpenAddress  bool   // the fields for a copy of a site are
}

// ownFields are the options that have fields of their own.
var ownFields = []string{"user", "cookie", "base-url", "ignore-robots"}

// newOwnOptions returns the form for options, or nil when the server does not offer them.
func (s *Server) newOwnOptions(options map[string][]string) *ownOptions {
	names := s.options.Service.OptionNames()
	if !slices.Contains(names, "user") {
		return nil
	}
	fields := slices.Concat(valueNames, patternNames, switchNames, listNames, ownFields)
	hasField := func(name string) bool { return slices.Contains(fields, name) }
	v := &ownOptions{
		BaseURL: strings.Join(options["base-url"], ""), IgnoreRobots: slices.Contains(options["ignore-robots"], "true"),
		Names: strings.Join(slices.DeleteFunc(names, hasField), ", "),
	}
	v.Stored = len(options["user"])+len(options["cookie"]) > 0
	v.OpenAddress = v.BaseURL != "" || v.IgnoreRobots
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(options)) {
		for _, value := range options[name] {
			if !hasField(name) && !isSecret(name, value) {
				lines = append(lines, name+" "+value)
			}
		}
	}
	v.Flags = strings.Join(lines, "\n")
	return v
}

// isSecret reports whether the value of an option is, or has, a secret.
func isSecret(name, value string) bool {
	return service.IsSecret(name) || isRedacted(value) || format.Redact(value) != value
}

// readOwnOptions sets the options of a form that ownOptions shows. A field that is empty leaves
// an option as it is.
func readOwnOptions(options map[string][]string, form url.Values) {
	set := func(name, value string) {
		if value != "" {
			options[name] = []string{value}
		}
	}
	if name, password := strings.TrimSpace(form.Get("user-name")), form.Get("user-password"); name+password != "" {
		set("user", name+":"+password)
	}
	set("cookie", strings.TrimSpace(form.Get("cookie")))
	set("base-url", strings.TrimSpace(form.Get("base-url")))
	set("ignore-robots", form.Get("ignore-robots"))
	for line := range strings.Lines(form.Get("flags")) {
		if name, value := readFlag(line); name != "" {
			options[name] = append(options[name], value)
		}
	}
}

// readFlag reads a line such as "max-time 10m", which may also be written as on the command
// line: --max-time=10m. Without a value it is true.
func readFlag(line string) (name, value string) {
	line = strings.TrimLeft(strings.TrimSpace(line), "-")
	end := strings.IndexAny(line, " =")
	if end < 0 {
		return line, "true"
	}
	return line[:end], strings.TrimSpace(line[end+1:])
}
