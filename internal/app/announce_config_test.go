package app

import (
	"os"
	"strings"
	"testing"
)

// TestConfigSecrets reads secrets from the environment in a file that is named, and from
// nowhere in one that is only found.
func TestConfigSecrets(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "announce:\n  bing-key: $MY_BING\n  baidu-token: $UNSET\n"
	if err := os.WriteFile(ConfigName, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &App{LookupEnv: func(name string) (string, bool) {
		text, found := map[string]string{"MY_BING": "from-MY_BING"}[name]
		return text, found
	}}
	read := func(name string) (secretValues, error) {
		file, err := a.ReadConfig(name, Tables{Sections: map[string][]Setting{SectionAnnounce: NewAnnounceSettings().Settings()}})
		if err != nil {
			t.Fatal(err)
		}
		settings := NewAnnounceSettings()
		section := file.Section(SectionAnnounce)
		if err := section.Apply(settings.Settings()); err != nil {
			t.Fatal(err)
		}
		if err := settings.check(); err != nil {
			t.Error(err)
		}
		return a.credentials(&settings.Credentials)
	}
	if c, err := read(ConfigName); err != nil || c.bing != "from-MY_BING" || c.baidu != "" {
		t.Errorf("%+v, error %v", c, err)
	}
	if c, err := read(""); err == nil || strings.Contains(err.Error(), "MY_BING") {
		t.Errorf("%+v, error %v", c, err)
	}
	if flag := Find(NewAnnounceSettings().Settings(), "bing-key"); !flag.Secret {
		t.Error("a secret can be given on the command line")
	}
}
