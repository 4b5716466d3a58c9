package cli

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/cobra"
)

// A buildInfo says which build of the program runs. Commit and Date are empty in a build
// from a module without its repository.
type buildInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Date     string `json:"date,omitempty"`     // of the commit, RFC 3339
	Modified bool   `json:"modified,omitempty"` // the checkout differed from the commit
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// newBuildInfo reads what the Go toolchain recorded. info may be nil.
func newBuildInfo(info *debug.BuildInfo) buildInfo {
	b := buildInfo{Version: "devel", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			b.Commit = setting.Value
		case "vcs.time":
			b.Date = setting.Value
		case "vcs.modified":
			b.Modified = setting.Value == "true"
		}
	}
	return b
}

func (b *buildInfo) write(w io.Writer) error {
	commit := b.Commit
	if b.Modified {
		commit += " (modified)"
	}
	text := "mapa " + b.Version + "\n"
	for _, fact := range [][2]string{{"commit", commit}, {"date", b.Date}, {"go", b.Go}, {"platform", b.Platform}} {
		if fact[1] != "" {
			text += fmt.Sprintf("%-8s %s\n", fact[0], fact[1])
		}
	}
	_, err := io.WriteString(w, text)
	return err
}

func newVersion() *cobra.Command {
	format := formatText
	c := &cobra.Command{
		Use:     "version",
		Short:   "Print the version, commit, date and Go version",
		Long:    versionText,
		Example: versionExamples,
		Args:    noArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkFormat(format); err != nil {
				return &usageError{c, err}
			}
			info, _ := debug.ReadBuildInfo()
			build := newBuildInfo(info)
			if format == formatJSON {
				return newJSON(c.OutOrStdout()).Encode(build)
			}
			return build.write(c.OutOrStdout())
		},
	}
	settings := []setting.Setting{formatSetting(&format, "text or json")}
	addFlags(c, settings)
	return c
}
