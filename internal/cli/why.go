package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/internal/store"
	"github.com/mapatools/mapa/internal/urlnorm"
	"github.com/spf13/cobra"
)

func newWhy() *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:     "why URL [FOLDER]",
		Short:   "Say why a page is, or is not, in the sitemap",
		Long:    whyText,
		Example: whyExamples,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return &usageError{c, errors.New("why takes the address of a page, and the folder of its crawl when that is not named after the host")}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return &usageError{c, fmt.Errorf("--format is text or json, not %q", format)}
			}
			address, folder, err := pageAndFolder(args)
			if err != nil {
				return &usageError{c, err}
			}
			file, err := store.Open(crawlIn(folder))
			if err != nil {
				return noCrawl(folder, err)
			}
			defer file.Close()
			why, err := askWhy(c.Context(), file, address)
			if err != nil {
				return err
			}
			if format == "json" {
				encoder := json.NewEncoder(c.OutOrStdout())
				encoder.SetEscapeHTML(false)
				return encoder.Encode(why)
			}
			_, err = fmt.Fprint(c.OutOrStdout(), why)
			return err
		},
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

// askWhy asks for the address as it is typed, then for other spellings of it.
func askWhy(ctx context.Context, file crawl.Reader, address string) (*report.Why, error) {
	all := spellings(address)
	for _, spelling := range all {
		if why, err := report.AskWhy(ctx, file, spelling); err != nil || why.Met {
			return why, err
		}
	}
	var options kept
	if err := json.Unmarshal([]byte(file.Meta().Options), &options); err != nil {
		return nil, fmt.Errorf("read the options of the crawl: %w", err)
	}
	return report.AskWhyLike(ctx, file, all, urlnorm.KeyOptions{Strip: urlnorm.PageParameters(options.Strip...), SortQuery: true})
}

// pageAndFolder reads the arguments. The folder is that of the host, unless it is
// given or the present one holds a crawl.
func pageAndFolder(args []string) (address, folder string, err error) {
	base, err := urlnorm.NewBase([]byte(withScheme(args[0])))
	if err != nil {
		return "", "", fmt.Errorf("%s is no address of a page", args[0])
	}
	address = base.String()
	if len(args) == 2 {
		return address, args[1], nil
	}
	if _, err := os.Stat(crawlName); err == nil {
		return address, ".", nil
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", "", err
	}
	return address, folderOf(u.Host), nil
}

// folderOf is the folder that a crawl of a host goes into by default.
func folderOf(host string) string { return strings.ReplaceAll(host, ":", "-") }

// crawlIn is the crawl file that a name stands for: the file, or the folder.
func crawlIn(name string) string {
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return filepath.Join(name, crawlName)
	}
	return name
}

// errNoCrawl says that there is no crawl where one was looked for.
var errNoCrawl = errors.New("there is no crawl")

func noCrawl(folder string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w in %s", errNoCrawl, folder)
	}
	return err
}

// spellings are the ways in which people may have meant an address: as it is, and
// with the other scheme, and with or without the slash at its end.
func spellings(address string) []string {
	scheme, rest, _ := strings.Cut(address, "://")
	other := map[string]string{"http": "https", "https": "http"}[scheme]
	slash := rest + "/"
	if trimmed, ended := strings.CutSuffix(rest, "/"); ended {
		slash = trimmed
	}
	return []string{address, other + "://" + rest, scheme + "://" + slash, other + "://" + slash}
}
