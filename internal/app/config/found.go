package config

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/addresses"
	"github.com/mapatools/mapa/internal/app/crawlfile"
	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/urlnorm"
)

// refusal returns the error for what only a file that was named may say.
func (c *File) refusal(line int, format string, values ...any) error {
	why := fmt.Sprintf(format, values...)
	return &Error{c.name, line, fmt.Errorf("%s: if you trust the file, use --config %s", why, c.name)}
}

// checkRisk refuses the value of a setting that only a file that was named may have.
func (c *File) checkRisk(s *setting.Setting, line int) error {
	switch {
	case !c.found:
		return nil
	case s.Risk == 0, s.Risk&setting.RiskOutside != 0:
		return c.refusal(line, "%s is refused in a file that nobody named", s.Name)
	case s.Risk&(setting.RiskFile|setting.RiskSource) == 0:
		return nil
	}
	for _, path := range s.Value.Texts() {
		if err := checkBelow(path); err != nil {
			return c.refusal(line, "%s: %v", s.Name, err)
		}
	}
	return nil
}

// CheckSite refuses a site that a file lists which nobody named, if it is a folder
// elsewhere, or if a credential of the user, who typed these flags, would go to it.
func (c *File) CheckSite(site Site, typed []string) error {
	if !c.found || !site.IsListed() {
		return nil
	}
	if addresses.IsFolder(site.URL) {
		if err := checkBelow(site.URL); err != nil {
			return c.refusal(site.line, "url: %v", err)
		}
		return nil
	}
	if credential := givenCredential(c.app, typed); credential != "" {
		return c.refusal(site.line, "url names the site that %s goes to", credential)
	}
	return nil
}

// givenCredential returns the flag or the variable by which the user gave a credential, or
// what may be one, or "".
func givenCredential(a *app.App, typed []string) (credential string) {
	for _, name := range append([]string{"cookie-file"}, CredentialNames...) {
		credential = cmp.Or(givenBy(a, name, typed), credential)
	}
	return credential
}

// checkCredentials refuses the settings of a file that nobody named which say where a
// credential of the user goes.
func (s *Section) checkCredentials(settings []setting.Setting, typed []string) error {
	app := s.file.app
	credential := givenCredential(app, typed)
	if !s.file.found || credential == "" {
		return nil
	}
	if live := setting.Find(settings, "live"); live != nil && live.Value.IsZero() {
		return nil // lint requests the site of the base URL only with it
	}
	for _, a := range s.assigned {
		if givenBy(app, a.name, typed) == "" && namesSite(setting.Find(settings, a.name)) {
			return s.file.refusal(a.line, "%s names the site that %s goes to", a.name, credential)
		}
	}
	return nil
}

// namesSite reports whether the value names a site that credentials go to.
func namesSite(s *setting.Setting) bool {
	isSite := func(location string) bool { return addresses.NamedOrigin(location) != "" }
	return s.Risk&setting.RiskSite != 0 || s.Risk&setting.RiskSource != 0 && slices.ContainsFunc(s.Value.Texts(), isSite)
}

// checkBelow returns why strangers may not name a path. It must be below the current folder,
// also after its links and those of its crawl. Hidden files and the folder of git are the
// user's: they hold credentials.
func checkBelow(path string) error {
	if err := checkPathBelow(path); err != nil {
		return err
	}
	return checkPathBelow(crawlfile.Path(path))
}

var (
	errOutside = errors.New("is outside the current folder")
	errHidden  = errors.New("is hidden")
)

func checkPathBelow(path string) error {
	if path == "" || path == "-" {
		return nil
	}
	target, err := resolveBelow(path)
	if err == nil && (isHidden(path) || isHidden(target)) {
		err = errHidden
	}
	if err != nil {
		return fmt.Errorf("%s %w", path, err)
	}
	return nil
}

// resolveBelow returns a path below the current folder without its links. It may end in
// names that do not exist yet.
func resolveBelow(path string) (string, error) {
	// With ".." after a link, the path would lead elsewhere than it reads.
	if !filepath.IsLocal(path) || slices.Contains(namesIn(path), "..") {
		return "", errOutside
	}
	clean := filepath.Clean(path)
	for at := clean; at != "."; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); err != nil {
			continue // may be created
		}
		target, err := filepath.EvalSymlinks(at)
		if err != nil || !filepath.IsLocal(target) {
			return "", errOutside
		}
		return filepath.Join(target, strings.TrimPrefix(clean, at)), nil
	}
	return path, nil
}

// isHidden reports whether a path is that of a hidden file, or is in the folder of git.
// Hidden folders are common for what site generators write.
func isHidden(path string) bool {
	names := namesIn(path)
	last := names[len(names)-1]
	if slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, ".git") }) {
		return true
	}
	if !strings.HasPrefix(last, ".") || last == "." || urlnorm.IsHTTP(path) {
		return false
	}
	info, err := os.Stat(path)
	return err != nil || !info.IsDir()
}

// namesIn returns the names of the folders of a path, and its last one.
func namesIn(path string) []string {
	return strings.Split(strings.TrimRight(filepath.ToSlash(path), "/"), "/")
}

// CheckHostFolder refuses the folder that is named after a host, where the output setting
// names none, if it leads out of the current folder, as a link in a checkout of strangers
// may do.
func CheckHostFolder(host string) error {
	if err := checkBelow(crawlfile.FolderOf(strings.ToLower(host))); err != nil {
		return setting.Invalid("output", "%s is missing: the folder %[2]v", err)
	}
	return nil
}
