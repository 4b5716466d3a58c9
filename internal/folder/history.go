package folder

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"time"
)

// A History has the files of a folder that git tracks, and when git committed the last
// change of each. It is safe for concurrent use.
type History struct {
	root  *os.Root
	files map[string]trackedFile // by name
}

// A trackedFile is a file of the commit of HEAD.
type trackedFile struct {
	blob    blobID
	isLink  bool  // the blob is the target of a symbolic link
	isDated bool  // at is known
	at      int64 // Unix time of the last commit that changed the file
}

const (
	// maxNames bounds the memory for a History, in bytes: about a million files.
	maxNames = 128 << 20
	// fileSize is what a file needs of it besides its name.
	fileSize = 96
)

var errManyFiles = errors.New("git tracks too many files")

// ReadHistory reads the history of the folder in its git repository. The history is empty
// after an error, outside a repository and without git. The error is [ErrShallow] in a
// shallow clone.
//
// Git runs no program that the repository names (a hook, a file system monitor, a filter,
// a signature check) and fetches nothing: it does not read the files of the folder, and
// for its history it gets the objects of the repository alone.
func (s *Site) ReadHistory(ctx context.Context) (*History, error) {
	h := &History{root: s.root, files: map[string]trackedFile{}}
	repository, err := findRepository(ctx, s.root.Name())
	if errors.Is(err, errNoRepository) {
		return h, ctx.Err()
	}
	if err != nil {
		return h, err
	}
	git, err := newReader(repository)
	if err != nil {
		return h, err
	}
	err = h.readTree(ctx, git)
	if err == nil {
		err = h.readLog(ctx, git)
	}
	if err = errors.Join(err, git.close()); err != nil {
		h.files = nil
	}
	return h, err
}

// readTree reads the names and the blobs of the tracked files.
func (h *History) readTree(ctx context.Context, git *reader) error {
	names := 0
	for part, err := range git.parts(ctx, "ls-tree", "-r", "-z") {
		if err != nil {
			return err
		}
		entry, name, _ := bytes.Cut(part, []byte("\t")) // 100644 blob ID
		name, below := bytes.CutPrefix(name, []byte(git.prefix))
		fields := bytes.Fields(entry)
		if !below || len(fields) != 3 || string(fields[1]) != "blob" { // a submodule
			continue
		}
		if names += len(name) + fileSize; names > maxNames {
			return errManyFiles
		}
		blob, err := parseBlobID(fields[2])
		if err != nil {
			return err
		}
		h.files[string(name)] = trackedFile{blob: blob, isLink: string(fields[0]) == "120000"}
	}
	return nil
}

// readLog reads the commits, the newest first, until every tracked file has a date. The
// output has an empty part and the time of a commit, then the names of its files, the
// first of them after a newline.
func (h *History) readLog(ctx context.Context, git *reader) error {
	missing := len(h.files)
	if missing == 0 {
		return nil
	}
	var at int64
	isTime, isFirst := false, false
	for part, err := range git.parts(ctx, "log", "--format=%x00%ct", "--name-only", "-z", "--no-renames") {
		switch {
		case err != nil:
			return err
		case isTime:
			if at, err = strconv.ParseInt(string(part), 10, 64); err != nil {
				return err
			}
			isTime, isFirst = false, true
		case len(part) == 0:
			isTime = true
		default:
			if isFirst {
				part, isFirst = bytes.TrimPrefix(part, []byte("\n")), false
			}
			name := bytes.TrimPrefix(part, []byte(git.prefix))
			file, tracked := h.files[string(name)]
			if !tracked || file.isDated {
				continue
			}
			file.at, file.isDated = at, true
			h.files[string(name)] = file
			if missing--; missing == 0 {
				return nil
			}
		}
	}
	return nil
}

// Date returns when git committed the last change of a regular file of the folder. It
// returns false for a file that is not tracked or was changed since. A file counts as
// changed if git writes it by a filter, or in another encoding.
func (h *History) Date(name string) (at time.Time, found bool) {
	file := h.files[name]
	if !file.isDated || !file.isUnchanged(h.root, name) {
		return time.Time{}, false
	}
	return time.Unix(file.at, 0).UTC(), true
}
