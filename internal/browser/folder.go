package browser

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// folderPrefix begins the names of the folders of browsers.
const folderPrefix = "mapa-browser-"

// lockName is the file in a folder that its owner locks as long as it lives.
const lockName = "lock"

// maxFolder is how long the name of a folder may be. The browser makes sockets in it, whose paths
// may have 107 bytes.
const maxFolder = 50

// A folder has everything that a browser writes: its profile, temporary files and settings. The
// next one that is made removes those whose owners were killed.
type folder struct {
	path string
	lock *os.File
}

func newFolder() (*folder, error) {
	parent := os.TempDir()
	if len(parent)+len(folderPrefix) > maxFolder && os.PathSeparator == '/' {
		parent = "/tmp"
	}
	removeLeftFolders(parent)
	path, err := os.MkdirTemp(parent, folderPrefix)
	if err != nil {
		return nil, err
	}
	f := &folder{path: path}
	if f.lock, err = os.Create(filepath.Join(path, lockName)); err == nil {
		err = lockFile(f.lock)
	}
	if err != nil {
		return nil, errors.Join(err, f.remove())
	}
	return f, nil
}

// kept are the variables of the environment that a browser needs: programs, languages, time zones and fonts, and the
// encoding of macOS. All others stay in this process: they may be secrets.
var kept = []string{
	"PATH", "LD_LIBRARY_PATH", "LANG", "LANGUAGE", "LC_*", "TZ", "TZDIR", "FONTCONFIG_*", "__CF_USER_TEXT_ENCODING",
}

// environment returns the variables of a browser, which make it write into the folder alone.
func (f *folder) environment() []string {
	all := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return !slices.ContainsFunc(kept, func(pattern string) bool {
			prefix, isPrefix := strings.CutSuffix(pattern, "*")
			return name == pattern || isPrefix && strings.HasPrefix(name, prefix)
		})
	})
	for _, name := range []string{
		"HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
	} {
		all = append(all, name+"="+f.path)
	}
	return append(all, "DBUS_SESSION_BUS_ADDRESS=disabled:", "DBUS_SYSTEM_BUS_ADDRESS=disabled:")
}

// remove removes the folder. The browser must have ended.
func (f *folder) remove() error {
	err := os.RemoveAll(f.path)
	if f.lock != nil {
		err = errors.Join(err, f.lock.Close())
	}
	return err
}

// removeLeftFolders removes the folders whose owners do not live any more. One that cannot be
// removed, as that of another user, stays.
func removeLeftFolders(parent string) {
	left, _ := filepath.Glob(filepath.Join(parent, folderPrefix+"*"))
	for _, path := range left {
		lock, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR, 0)
		if err != nil {
			continue // being made, or of another user
		}
		if lockFile(lock) == nil {
			_ = os.RemoveAll(path)
		}
		lock.Close()
	}
}
