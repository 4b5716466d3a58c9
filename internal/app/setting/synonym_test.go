package setting

import "testing"

// TestSuggest answers flags of other programs, those that Mapa had, and misspelled ones.
func TestSuggest(t *testing.T) {
	names := []string{
		"max-depth", "concurrency", "config", "format", "format json", "job", "list", "exclude", "every",
		"prefix", "subdomains", "assets", "external", "base-url",
	}
	for unknown, want := range map[string]string{
		"depth": "did you mean --max-depth?", "c": "did you mean --concurrency or --config?",
		"json": "did you mean --format json?", "csv": "", "limit": "", "lsit": "did you mean --list?",
		"exlude": "did you mean --exclude?", "max-redirects": redirectsText, "z": "",
		"interval": "did you mean --every?", "port": "", "nothing-like-it": "",
		"enable": "--severity ID=on applies a rule that is off", "disable": "--severity ID=off skips a rule",
		"no-parent": "did you mean --prefix PATH?", "domains": "did you mean --prefix PATH or --subdomains?",
		"page-requisites": "did you mean --assets?", "offline": "did you mean --external=false?",
		"base": "did you mean --base-url?", "list-mode": listText, "one-page-only": listText, "export-tabs": exportText,
		"spider": dryRunText, "mirror": mirrorText, "xpath": extractText, "extract": extractText,
		"schedule": scheduleText, "no-color": colorText, "r": recursiveText,
		"notify": "mapa serve sends notices; in CI, --fail-on fails the run",
	} {
		if got := Suggest(unknown, names, "--"); got != want {
			t.Errorf("%s: %q, want %q", unknown, got, want)
		}
	}
	if got, want := Suggest("depth", names, ""), "did you mean max-depth?"; got != want {
		t.Errorf("in a file: %q, want %q", got, want)
	}
}
