package setting

import "testing"

func TestSuggest(t *testing.T) {
	names := []string{"max-depth", "concurrency", "config", "format", "job", "list", "exclude", "every"}
	for unknown, want := range map[string]string{
		"depth": "did you mean --max-depth?", "c": "did you mean --concurrency or --config?",
		"json": "did you mean --format json?", "limit": "", "lsit": "did you mean --list?",
		"exlude": "did you mean --exclude?", "max-redirects": redirectsText, "z": "",
		"interval": "did you mean --every?", "port": "", "nothing-like-it": "",
	} {
		if got := Suggest(unknown, names, "--"); got != want {
			t.Errorf("%s: %q, want %q", unknown, got, want)
		}
	}
	if got, want := Suggest("depth", names, ""), "did you mean max-depth?"; got != want {
		t.Errorf("in a file: %q, want %q", got, want)
	}
}
