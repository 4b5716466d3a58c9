package links

import (
	"cmp"
	"context"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	appaccess "github.com/mapatools/mapa/internal/app/access"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/documents"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/source"
)

// filesHost is the host of the files where they have no public one. It never exists
// (https://www.rfc-editor.org/rfc/rfc2606#section-2).
const filesHost = "files.invalid"

// open opens the files, and finds out which names are those of sitemaps.
func (r *run) open(ctx context.Context, names []string) (err error) {
	public := &url.URL{Scheme: "http", Host: filesHost, Path: "/"}
	if r.settings.BaseURL != "" {
		if err := addresses.CheckBaseURL(r.settings.BaseURL); err != nil {
			return err
		}
		if public, err = url.Parse(r.settings.BaseURL); err != nil {
			return err
		}
		public = addresses.CutPage(public)
	}
	o := documents.Options{
		Path: "/" + strings.Trim(public.Path, "/") + "/", Skip: r.isExcluded,
		Done: ctx.Done(), Public: r.settings.BaseURL != "",
	}
	o.Origin = public.Scheme + "://" + public.Host
	o.Path = strings.Replace(o.Path, "//", "/", 1)
	for _, name := range names {
		switch {
		case name == documents.Stdin:
			o.Stdin = cmp.Or[io.Reader](r.app.Stdin, strings.NewReader(""))
		case format.IsURL(name) || isSitemap(name):
			r.sitemaps = append(r.sitemaps, name)
		case !addresses.Exists(name):
			return &source.MissingError{Name: name}
		default:
			if isTable(name) {
				o.Copies = append(o.Copies, documents.Copy{
					Name: name, Write: func(w io.Writer) error { return r.copyTable(ctx, name, w) },
				})
			}
			o.Names = append(o.Names, name)
		}
	}
	r.names = o.Names
	folder := ""
	if o.Root, folder, err = r.root(o.Names); err != nil {
		return err
	}
	o.Repository = folder == ""
	if !o.Repository {
		below, err := filepath.Rel(o.Root, folder)
		if err != nil {
			return err
		}
		common := &url.URL{Path: path.Join(o.Path, filepath.ToSlash(below))}
		r.folder = strings.TrimSuffix(common.EscapedPath(), "/")
	}
	r.sitemaps, r.sources, err = appaccess.Sources(r.app, &r.settings.Access.RequestSettings, r.sitemaps...)
	if err != nil {
		return err
	}
	r.origin = o.Origin
	r.start = (&url.URL{Scheme: public.Scheme, Host: filesHost, Path: o.Path}).String()
	r.set, err = documents.Open(&o)
	return err
}

// hasOnlyFolders reports whether nothing but folders is checked.
func (r *run) hasOnlyFolders() bool {
	return len(r.names) > 0 && len(r.sitemaps) == 0 && !slices.ContainsFunc(r.names, addresses.IsFile)
}

// isSitemap reports whether a file has the name of a sitemap.
func isSitemap(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".xml", ".gz", ".rss", ".atom":
		return true
	}
	return false
}

// root returns the folder that no link leads out of: with a base URL the only folder that is named, else that of the
// git repository. Else it is the root of the file system, and common the folder that holds the names and the working
// directory.
func (r *run) root(names []string) (folder, common string, err error) {
	if r.settings.BaseURL != "" && len(names) == 1 {
		if info, err := os.Stat(names[0]); err == nil && info.IsDir() {
			return names[0], "", nil
		}
	}
	working, err := os.Getwd()
	if err != nil {
		return "", "", err
	}
	folder = working
	full := make([]string, len(names))
	for i, name := range names {
		if full[i], err = filepath.Abs(name); err != nil {
			return "", "", err
		}
	}
	if len(full) > 0 {
		folder = full[0]
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			folder = filepath.Dir(folder)
		}
	}
	folder = folderAbove(folder, full)
	for filepath.Dir(folder) != folder {
		if _, err := os.Lstat(filepath.Join(folder, ".git")); err == nil {
			return folder, "", nil
		}
		folder = filepath.Dir(folder)
	}
	return folder, folderAbove(working, full), nil
}

// folderAbove returns a folder, or the next one above it that holds some files.
func folderAbove(folder string, files []string) string {
	for _, file := range files {
		for !isIn(folder, file) && filepath.Dir(folder) != folder {
			folder = filepath.Dir(folder)
		}
	}
	return folder
}

// isIn reports whether a file is in a folder. Both are absolute.
func isIn(folder, name string) bool {
	below, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(below)
}

// pathOf returns the path of the URL of a file.
func (r *run) pathOf(address string) (path string, inside bool) {
	path, inside = strings.CutPrefix(address, r.origin)
	return path, inside && (r.settings.BaseURL == "" || strings.HasPrefix(path, "/"))
}

// nameOf returns the name of a file for its URL, with the fragment, or the URL of anything else.
func (r *run) nameOf(address string) string {
	whole, fragment, hasFragment := strings.Cut(address, "#")
	at, inside := r.pathOf(whole)
	if !inside || r.settings.BaseURL != "" {
		return address
	}
	name := r.set.Name(at)
	if strings.HasSuffix(at, "/") {
		name += "/"
	}
	if hasFragment {
		name += "#" + fragment
	}
	return name
}
