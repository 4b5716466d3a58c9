package cli

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/spf13/cobra"
)

// newServeBackup returns the command that copies the folder of a server while it runs.
func newServeBackup(a *app.App) *cobra.Command {
	data := newServeFlags().data
	settings := []setting.Setting{
		{Name: "data", Value: setting.String(&data), Risk: setting.RiskOutside, Help: "the `FOLDER` of the server"},
	}
	c := &cobra.Command{
		Use:     "backup FILE",
		Short:   "Write the crawls and schedules of a server to a file",
		Long:    serveBackupText,
		Example: serveBackupExamples,
		Args:    exactlyOne("the name of a new file"),
		RunE: func(c *cobra.Command, args []string) error {
			if args[0] == "-" {
				return &usageError{c, errors.New("backup writes a file, not standard output")}
			}
			result, err := service.Backup(c.Context(), data, args[0])
			if errors.Is(err, fs.ErrExist) {
				return &usageError{c, err}
			}
			if err != nil {
				return err
			}
			text := fmt.Sprintf("%s: %s, %s", printable(args[0]), plural(result.Crawls, "crawl"),
				catalog.For(catalog.English).Bytes(result.Size))
			if result.Unended > 0 {
				text += fmt.Sprintf(unendedText, plural(result.Unended, "crawl"))
			}
			_, err = fmt.Fprintln(c.OutOrStdout(), text)
			return err
		},
	}
	addSettings(a, c, settings)
	return c
}
