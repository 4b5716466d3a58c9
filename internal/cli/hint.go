package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/app/cause"
	appcrawl "github.com/mapatools/mapa/internal/app/crawl"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
)

// maxErrorText is the most characters of an error that are printed: it may repeat a
// long argument.
const maxErrorText = 2000

// kindTexts are the keys of the first line of an error, by its kind. In English, the error is the first line.
var kindTexts = map[cause.Kind]string{
	cause.KindUsage: "error.usage", cause.KindUnreached: "error.unreached", cause.KindPart: "error.part",
}

// printError prints an error of a kind, which is one line, and in a line of its own what to do about it.
func printError(stderr io.Writer, c *catalog.Catalog, kind cause.Kind, err error) {
	text := printable(format.Truncate(errorText(err), maxErrorText))
	fmt.Fprintf(stderr, "mapa: %s\n", c.Text(cmp.Or(kindTexts[kind], "error.other"), text))
	if hint := hintOf(c, err); hint != "" {
		fmt.Fprintf(stderr, "  %s\n", hint)
	}
}

// quoted returns an argument as a shell reads it.
func quoted(argument string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(":/.-_%+,@=", r)
	}
	if strings.TrimFunc(argument, plain) == "" {
		return argument
	}
	return "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
}

// hintOf returns what to do about an error, or "".
func hintOf(c *catalog.Catalog, err error) string {
	if _, is := errors.AsType[*servedError](err); is {
		return c.Text("hint.served")
	}
	text := func(key string) string {
		if key == "" {
			return ""
		}
		return c.Text(key)
	}
	found := cause.Of(err)
	switch {
	case cause.IsBrowser(err):
		return service.BrowserHint(c, string(found))
	case found == cause.Other || found == cause.Start:
		return ""
	}
	hint := c.Text("hint." + string(found))
	file := fileHints[cause.FileSetting(err)]
	hint = strings.NewReplacer("{foreign}", text(file.foreign), "{again}", text(file.again)).Replace(hint)
	if to, is := errors.AsType[*crawl.MovedError](err); is {
		hint += ": mapa crawl " + printable(quoted(to.To))
	}
	return strings.NewReplacer(
		"{other}", text(file.other), "{credentials}", credentialsOf(c, err), "{later}", laterThan(c, cause.RetryAfter(err)),
		"{proxy}", proxyOf(c, err), "{scope}", scopeHint(c, err),
	).Replace(hint)
}

// credentialsOf names the flags that hold the credentials which an error is about.
func credentialsOf(c *catalog.Catalog, err error) string {
	if about, is := errors.AsType[*appcrawl.CredentialsError](err); is && len(about.Settings) > 0 {
		return "--" + strings.Join(about.Settings, " "+c.Text("hint.and")+" --")
	}
	return c.Text("hint.credentials.any")
}

// proxyOf names what gives the address of the proxy that an error is about.
func proxyOf(c *catalog.Catalog, err error) string {
	if cause.IsEnvironmentProxy(err) {
		return c.Text("hint.proxy.environment")
	}
	return "--proxy"
}

// scopeHint names a start in the folder of --prefix, or the option that leaves out the start.
func scopeHint(c *catalog.Catalog, err error) string {
	scope, is := errors.AsType[*crawl.StartScopeError](err)
	if !is || scope.Reason != crawl.ReasonOutOfScope {
		return c.Text("hint.scope.excluded")
	}
	_, arguments := scope.Detail.Split()
	start, err := url.Parse(scope.URL)
	if err != nil || len(arguments) == 0 || !strings.HasPrefix(arguments[0], "/") {
		return c.Text("hint.scope.other")
	}
	start.Path, start.RawQuery = arguments[0], ""
	return commandText([]string{"crawl", start.String(), "--prefix", arguments[0]})
}

// laterThan says when to try again.
func laterThan(c *catalog.Catalog, wait time.Duration) string {
	if wait <= 0 {
		return c.Text("hint.later")
	}
	return c.Text("hint.after", time.Now().Add(wait).Format("2006-01-02 15:04"))
}

// fileHints are the keys of texts that complete the hints about a file, by the setting that names it.
var fileHints = map[string]struct{ other, foreign, again string }{
	"folder":  {other: "hint.other.folder"},
	"publish": {other: "hint.other.publish"},
	"":        {"hint.other.file", "hint.folder", "hint.again"},
	"data":    {"hint.other.data", "hint.folder", "hint.again.data"},
	"ledger":  {"hint.other.ledger", "hint.folder", "hint.again"},
	"state":   {"hint.other.state", "hint.folder", "hint.again"},
	"figures": {"hint.other.figures", "hint.again.figures", "hint.again.figures"},
	"output":  {"hint.other.output", "hint.foreign.output", "hint.again.output"},
}
