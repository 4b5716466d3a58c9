package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/robotsfile"
)

// A RobotsEdit is what [PatchRobots] did to a robots.txt.
type RobotsEdit string

// The edits.
const (
	RobotsUnchanged RobotsEdit = "unchanged" // it names the sitemap already
	RobotsCorrected RobotsEdit = "corrected" // the line that meant the sitemap
	RobotsAdded     RobotsEdit = "added"     // a line
)

// maxRobotsFile is the largest robots.txt that is patched, in bytes.
const maxRobotsFile = 10 << 20

// PatchRobots makes a robots.txt on disk name a sitemap, given by its URL. It adds or
// corrects the Sitemap line and leaves every other byte alone. A file that does not exist
// is created. Of a symbolic link, the file that it names is patched.
func PatchRobots(name, sitemap string) (RobotsEdit, error) {
	name, err := linkTarget(name)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(name)
	mode := fs.FileMode(0) // of a file that is there
	var text []byte
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return "", err
	case !info.Mode().IsRegular() || info.Size() > maxRobotsFile:
		return "", fmt.Errorf("%s is not a robots.txt: it is no regular file, or larger than %d bytes", name, maxRobotsFile)
	default:
		mode = info.Mode().Perm()
		if text, err = os.ReadFile(name); err != nil {
			return "", err
		}
	}
	patched, edit := robotsfile.SetSitemap(text, sitemap)
	if edit == robotsfile.Unchanged {
		return RobotsUnchanged, nil
	}
	err = atomicfile.Replace(name, func(out io.Writer) error {
		_, err := out.Write(patched)
		return err
	})
	if err == nil && mode != 0 {
		err = os.Chmod(name, mode)
	}
	if edit == robotsfile.Corrected {
		return RobotsCorrected, err
	}
	return RobotsAdded, err
}

// linkTarget returns the file that a name means: that of a symbolic link, or else the
// name, which need not exist.
func linkTarget(name string) (string, error) {
	target, err := filepath.EvalSymlinks(name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return target, err
	}
	if _, err := os.Lstat(name); err == nil {
		return "", fmt.Errorf("%s is a link to a file that is not there", name)
	}
	return name, nil
}
