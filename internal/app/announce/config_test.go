package announce

import (
	"os"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/setting"
)

// TestConfigSecrets reads secrets from the environment in a file that is named, and from
// nowhere in one that is only found.
func TestConfigSecrets(t *testing.T) {
	t.Chdir(t.TempDir())
	text := "announce:\n  bing-key: $MY_BING\n  baidu-token: $UNSET\n"
	if err := os.WriteFile(config.DefaultName, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &app.App{LookupEnv: func(name string) (string, bool) {
		text, found := map[string]string{"MY_BING": "from-MY_BING"}[name]
		return text, found
	}}
	read := func(name string) (secretValues, error) {
		tables := config.Tables{Sections: map[string][]setting.Setting{Section: NewSettings().Table()}}
		file, err := config.Read(a, name, tables)
		if err != nil {
			t.Fatal(err)
		}
		settings := NewSettings()
		section := file.Section(Section)
		if err := section.Apply(settings.Table()); err != nil {
			t.Fatal(err)
		}
		if err := settings.check(); err != nil {
			t.Error(err)
		}
		return credentials(a, &settings.Credentials)
	}
	if c, err := read(config.DefaultName); err != nil || c.bing != "from-MY_BING" || c.baidu != "" {
		t.Errorf("%+v, error %v", c, err)
	}
	if c, err := read(""); err == nil || strings.Contains(err.Error(), "MY_BING") {
		t.Errorf("%+v, error %v", c, err)
	}
	if flag := setting.Find(NewSettings().Table(), "bing-key"); !flag.Secret {
		t.Error("a secret can be given on the command line")
	}
}
