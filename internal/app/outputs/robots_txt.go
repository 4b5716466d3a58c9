package outputs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/mapatools/mapa/internal/atomicfile"
)

// A RobotsEdit is what [PatchRobots] did to a robots.txt.
type RobotsEdit string

// The edits.
const (
	RobotsUnchanged RobotsEdit = "unchanged" // a line names the sitemap
	RobotsCorrected RobotsEdit = "corrected" // a line that meant the sitemap names it now
	RobotsAdded     RobotsEdit = "added"     // there is a new line
)

// maxRobotsFile is the largest robots.txt that is patched, in bytes.
const maxRobotsFile = 10 << 20

// PatchRobots makes a robots.txt on disk name a sitemap, given by its URL. It adds or
// corrects the Sitemap line and leaves every other byte alone. A file that does not exist
// is created. Of a symbolic link, the file that it names is patched.
func PatchRobots(name, sitemap string) (RobotsEdit, error) {
	file, err := readRobotsFile(name)
	if err != nil {
		return "", err
	}
	patched, edit := setSitemapLine(file.text, sitemap)
	if edit == RobotsUnchanged {
		return edit, nil
	}
	err = atomicfile.Replace(file.name, func(out io.Writer) error {
		_, err := out.Write(patched)
		return err
	})
	if err == nil && file.mode != 0 {
		err = os.Chmod(file.name, file.mode)
	}
	return edit, err
}

// A robotsFile is a robots.txt on disk.
type robotsFile struct {
	name string      // without symbolic links
	text []byte      // empty without a file
	mode fs.FileMode // 0 without a file
}

// readRobotsFile reads a robots.txt, which need not exist, and refuses what is something
// else.
func readRobotsFile(name string) (file robotsFile, err error) {
	if file.name, err = LinkTarget(name); err != nil {
		return file, err
	}
	info, err := os.Stat(file.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return file, nil
	case err != nil:
		return file, err
	case !info.Mode().IsRegular() || info.Size() > maxRobotsFile:
		return file, fmt.Errorf("%s is not a robots.txt: it is no regular file, or larger than %d bytes", name, maxRobotsFile)
	}
	file.mode = info.Mode().Perm()
	if file.text, err = os.ReadFile(file.name); err != nil {
		return file, err
	}
	if bytes.IndexByte(file.text, 0) >= 0 || bytes.HasPrefix(bytes.TrimSpace(file.text), []byte("<")) {
		return file, fmt.Errorf("%s is not a robots.txt: it is no text, or begins with a <", name)
	}
	return file, nil
}

// LinkTarget returns the file that a name means: that of a symbolic link, or else the
// name, which need not exist.
func LinkTarget(name string) (string, error) {
	target, err := filepath.EvalSymlinks(name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) {
		return target, err
	}
	if _, err := os.Lstat(name); err == nil {
		return "", fmt.Errorf("%s is a link to a file that is not there", name)
	}
	return name, nil
}
