// Package cli is the command line: it parses flags, calls package app and prints the
// results. Every command has its own file; exit codes are in exit.go, texts in
// text.go and hint.go. [Run] is the whole program.
package cli

import (
	"context"
	"encoding/json"
	"io"
	"log"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/config"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/format"
	"github.com/spf13/cobra"
)

// Run runs the program with its arguments, without the program's name, and
// returns the exit code. Results go to stdout, everything else to stderr.
// Cancelling ctx interrupts it. Run turns off the standard logger of the process.
func Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	log.SetOutput(io.Discard) // net/http logs what servers send, such as lines that a CI runner obeys
	a := &app.App{
		Version: version(), Stdin: stdin, LookupEnv: os.LookupEnv, CacheFolder: cacheFolder(),
		Locale: setting.SystemLanguage(os.Getenv),
	}
	progress := newProgress(stderr, a.Texts)
	a.OnEvent = progress.event
	root := newRoot(a)
	addQuiet(root, &progress.quiet)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	warnOfVariables(root)
	err := root.ExecuteContext(ctx)
	progress.end()
	return explain(ctx, a.Texts(), stderr, err)
}

// addQuiet adds the flag of all commands that stops progress and notices.
func addQuiet(root *cobra.Command, quiet *bool) {
	root.PersistentFlags().BoolVarP(quiet, "quiet", "q", false, "print results and errors only")
}

// cacheFolder returns Mapa's folder in the cache folder of the user, or "" if the user has no cache
// folder.
func cacheFolder() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "mapa")
}

func newRoot(a *app.App) *cobra.Command {
	root := &cobra.Command{
		Use:           "mapa",
		Short:         "Create, read and check sitemaps",
		Long:          rootText,
		Version:       a.Version,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetVersionTemplate("mapa {{.Version}}\n")
	root.SetHelpFunc(printHelp)
	root.SetUsageFunc(printUsage)
	root.SetHelpCommand(newHelp())
	root.SetFlagErrorFunc(flagError)
	root.PersistentFlags().BoolVarP(&a.Verbose, "verbose", "v", false, "print more, such as every page that is fetched")
	addLang(root, a)
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(newAnnounce(a), newBuild(a), newCompletion(), newCrawl(a), newDemo(a), newDiff(a), newFigures(a),
		newJob(a),
		newLinks(a), newLint(a), newList(a),
		newMan(), newMCP(a), newReport(a), newRules(a), newServe(a), newVersion(), newWatch(a),
		newWhy(a), newWorker(a))
	unquoteFlags(root)
	return root
}

// addLang adds the flag of the language. Commands with settings in mapa.yaml have one of their own in its place.
// The variable of the environment holds for all.
func addLang(root *cobra.Command, a *app.App) {
	lang := a.Environment(config.EnvironmentName("lang"))
	named := setting.LangSetting(&lang)
	addFlag(root.PersistentFlags(), &named)
	completeFlags(root, []setting.Setting{named})
	a.Lang = catalog.Language(lang)
	root.PersistentPreRunE = func(c *cobra.Command, _ []string) (err error) {
		if lang != "" {
			a.Lang, err = setting.LanguageOf(lang)
		}
		return settingError(c, err)
	}
}

// version is the module's, or "devel" for a build from a checkout.
func version() string {
	info, _ := debug.ReadBuildInfo()
	return newBuildInfo(info).Version
}

// newJSON returns an encoder whose output is safe to print.
func newJSON(w io.Writer) *json.Encoder { return format.NewEncoder(w) }
