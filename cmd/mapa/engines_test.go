package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/announce/announcetest"
	"github.com/rogpeppe/go-internal/testscript"
)

// engineSecrets are the credentials of the account in scripts, by environment variable.
var engineSecrets = map[string]string{
	"INDEXNOW_KEY": "0123456789abcdef0123456789abcdef", "BING_WEBMASTER_KEY": "bing-secret",
	"YANDEX_WEBMASTER_TOKEN": "yandex-secret", "BAIDU_PUSH_TOKEN": "baidu-secret",
}

// engines controls the search engines of a script:
//
//	engines start            serves them at $ENGINES and sets their credentials
//	engines play NAME TIMES  makes them answer as in a scenario
//	engines log              prints the requests since the last log to the file engines.log
func engines(ts *testscript.TestScript, _ bool, args []string) {
	switch args[0] {
	case "start":
		startEngines(ts)
	case "play":
		times, err := strconv.Atoi(args[2])
		ts.Check(err)
		ts.Check(ts.Value(enginesKey{}).(*scriptEngines).server.Play(args[1], times))
	case "log":
		logEngines(ts)
	default:
		ts.Fatalf("unknown subcommand %s", args[0])
	}
}

type enginesKey struct{}

// scriptEngines are the engines of a script. The server is set when they start.
type scriptEngines struct {
	server *announcetest.Server
	logged int
}

func startEngines(ts *testscript.TestScript) {
	e := ts.Value(enginesKey{}).(*scriptEngines)
	e.server = announcetest.New(announcetest.Options{
		Sites:   []string{ts.Getenv("SITE"), ts.Getenv("OTHER")},
		BingKey: engineSecrets["BING_WEBMASTER_KEY"], YandexToken: engineSecrets["YANDEX_WEBMASTER_TOKEN"],
		BaiduToken: engineSecrets["BAIDU_PUSH_TOKEN"],
	})
	server := httptest.NewServer(e.server)
	ts.Defer(server.Close)
	account := ts.MkAbs("account.json")
	ts.Check(os.WriteFile(account, e.server.ServiceAccount(), 0o600))
	ts.Setenv("ENGINES", server.URL)
	ts.Setenv("GOOGLE_APPLICATION_CREDENTIALS", account)
	for name, secret := range engineSecrets {
		ts.Setenv(name, secret)
	}
}

// logEngines writes one line for each request, with SITE for the site's address and
// without the requests for tokens, quotas and lists.
func logEngines(ts *testscript.TestScript) {
	e := ts.Value(enginesKey{}).(*scriptEngines)
	requests := e.server.Requests()
	site := ts.Getenv("SITE")
	host := strings.TrimPrefix(site, "http://")
	escaped := strings.NewReplacer(":", "%3A", "/", "%2F")
	anonymous := strings.NewReplacer(site, "SITE", escaped.Replace(site), "SITE",
		escaped.Replace("http:"+host), "HOSTID", host, "HOST", "\n", " ")
	var log strings.Builder
	for _, r := range requests[e.logged:] {
		if r.Method == "GET" || r.Path == "/token" {
			continue
		}
		line := fmt.Sprintf("%d %s %s %s", r.Status, r.Method, r.Path, r.Body)
		log.WriteString(anonymous.Replace(line) + "\n")
	}
	e.logged = len(requests)
	ts.Check(os.WriteFile(ts.MkAbs("engines.log"), []byte(log.String()), 0o600))
}
