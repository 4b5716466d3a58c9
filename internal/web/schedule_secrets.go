package web

import (
	"net/url"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
)

// A secretField is a field of the form of a schedule for an option that holds a secret, which
// is shown as [service.Redacted].
type secretField struct {
	Name, Label string
	Lines       []string
}

// secretOptions are the options that may hold secrets, with the texts of their fields.
var secretOptions = []struct{ name, key string }{
	{"user", "web.schedule.secret.user"}, {"cookie", "web.schedule.secret.cookie"},
	{"header", "web.schedule.secret.header"}, {"proxy", "web.schedule.secret.proxy"},
	{"sitemap", "web.schedule.secret.sitemap"},
}

// secretFields returns the fields for the secrets of a schedule, and for those of the form
// that was sent: only the API adds others.
func secretFields(c *catalog.Catalog, options map[string][]string, form url.Values) (fields []secretField) {
	for _, option := range secretOptions {
		values := options[option.name]
		if form.Has(option.name) || slices.ContainsFunc(values, isRedacted) {
			fields = append(fields, secretField{option.name, c.Text(option.key), values})
		}
	}
	return fields
}

func isRedacted(value string) bool { return strings.Contains(value, service.Redacted) }

// readSecrets sets the options of the fields for secrets. One that is empty is removed.
func readSecrets(options map[string][]string, form url.Values) {
	for _, option := range secretOptions {
		if !form.Has(option.name) {
			continue
		}
		delete(options, option.name)
		for line := range strings.Lines(form.Get(option.name)) {
			if line = strings.TrimSpace(line); line != "" {
				options[option.name] = append(options[option.name], line)
			}
		}
	}
}
