package access

import (
	"errors"
	"os"
	"testing"

	"github.com/mapatools/mapa/internal/app/setting"
)

// TestOneOrigin refuses credentials for sites of several origins.
func TestOneOrigin(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("b.example", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	user := RequestSettings{User: "me:secret"}
	for _, test := range []struct {
		name     string
		settings RequestSettings
		sites    []string
		refused  string // setting
	}{
		{"one site", user, []string{"https://a.example/"}, ""},
		{"two pages of one site", user, []string{"https://a.example/1", "https://A.example:443/2", "a.example"}, ""},
		{"two sites", user, []string{"https://a.example/", "https://c.example/"}, "user"},
		{"two schemes", user, []string{"https://a.example/", "http://a.example/"}, "user"},
		{"two ports", user, []string{"https://a.example/", "https://a.example:8443/"}, "user"},
		{"a host without a scheme", user, []string{"a.example", "http://a.example/"}, "user"},
		{"a file with the name of a host", user, []string{"https://a.example/", "b.example", "./c.example", "-"}, ""},
		{"users of their own", user, []string{"https://a.example/", "https://u:p@c.example/", "x:y@d.example"}, ""},
		{"users of all", user, []string{"https://x:y@a.example/", "https://u:p@c.example/"}, ""},
		{"a cookie", RequestSettings{Cookie: "a=b"}, []string{"https://a.example/", "https://u:p@c.example/"}, "cookie"},
		{"a header for credentials", RequestSettings{Header: []string{"A: b", "authorization : Bearer x"}},
			[]string{"https://a.example/", "https://c.example/"}, "header"},
		{"a cookie as a header", RequestSettings{Header: []string{"Cookie: a=b"}},
			[]string{"https://a.example/", "https://c.example/"}, "header"},
		{"another header", RequestSettings{Header: []string{"Accept-Language: de"}},
			[]string{"https://a.example/", "https://c.example/"}, ""},
		{"a file of cookies, which names their hosts", RequestSettings{CookieFile: "b.example"},
			[]string{"https://a.example/", "https://c.example/"}, ""},
	} {
		clean, users := CutUsers(test.sites)
		_, err := test.settings.Access("", clean, users)
		setting, ok := errors.AsType[*setting.Error](err)
		if test.refused == "" && err != nil || test.refused != "" && (!ok || setting.Name != test.refused) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
