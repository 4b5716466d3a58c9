package folder

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ErrShallow says that a clone lacks the history that has the dates.
var ErrShallow = errors.New("the git clone is shallow")

// errNoRepository means that git does not track a folder, or is not installed.
var errNoRepository = errors.New("no git repository")

// A repository is where git keeps the history of a folder.
type repository struct {
	objects string // absolute path of the object store
	head    string // hexadecimal ID of the commit of HEAD
	prefix  string // path of the folder in the repository: empty, or with a slash at the end
}

// findRepository asks git for the repository of a folder. This is the one command that
// reads the configuration of the repository, and git rev-parse starts no program that a
// configuration names. It also reads that of the user, where safe.directory is, but no
// variables that name another repository, as a hook of git has them.
func findRepository(ctx context.Context, name string) (repository, error) {
	name, err := filepath.EvalSymlinks(name) // git answers with paths relative to the real one
	if err != nil {
		return repository{}, err
	}
	env := slices.DeleteFunc(os.Environ(), func(variable string) bool {
		return hasPrefix(variable, "GIT_") && !hasPrefix(variable, "GIT_CONFIG")
	})
	revParse := func(arguments ...string) (string, error) {
		c := command(ctx, name, env, append([]string{"rev-parse"}, arguments...)...)
		out, err := c.Output() // a few paths and IDs
		if err != nil {
			return "", errNoRepository // or none that git trusts, or none with a commit
		}
		return strings.TrimSuffix(string(out), "\n"), nil
	}
	prefix, err := revParse("--show-prefix")
	if err != nil {
		return repository{}, err
	}
	// A path may have newlines, so that it comes last.
	answer, err := revParse("--is-shallow-repository", "--is-inside-work-tree", "HEAD", "--git-path", "objects")
	if err != nil {
		return repository{}, err
	}
	lines := strings.SplitN(answer, "\n", 4)
	if len(lines) < 4 || lines[1] != "true" || !isObjectID(lines[2]) {
		return repository{}, errNoRepository
	}
	if lines[0] == "true" {
		return repository{}, ErrShallow
	}
	objects := lines[3]
	if !filepath.IsAbs(objects) {
		objects = filepath.Join(name, objects)
	}
	objects, err = filepath.Abs(objects)
	return repository{objects: objects, head: lines[2], prefix: prefix}, err
}

// The lengths of object IDs in hexadecimal digits.
const (
	sha1Digits   = 40
	sha256Digits = 64
)

func isObjectID(id string) bool {
	_, err := hex.DecodeString(id)
	return err == nil && (len(id) == sha1Digits || len(id) == sha256Digits)
}

// A reader runs git on the objects of a repository without anything else of it: with a
// git directory of its own in place of the repository's, whose configuration, hooks and
// attributes may name programs.
type reader struct {
	repository
	dir string // the git directory
}

// newReader makes the git directory. The caller must close the reader.
func newReader(r repository) (*reader, error) {
	dir, err := os.MkdirTemp("", "mapa-git-")
	if err != nil {
		return nil, err
	}
	config := "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if len(r.head) == sha256Digits {
		config = "[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = sha256\n"
	}
	g := &reader{repository: r, dir: dir}
	err = errors.Join(
		os.Mkdir(filepath.Join(dir, "refs"), 0o700),
		os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/none\n"), 0o600),
		os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600),
	)
	if err != nil {
		return nil, errors.Join(err, g.close())
	}
	return g, nil
}

func (g *reader) close() error { return os.RemoveAll(g.dir) }

// parts runs a git command on what is below the prefix. It yields the parts of the output
// that end in a zero byte, which are valid until the next one. Git ends with the loop.
func (g *reader) parts(ctx context.Context, arguments ...string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		// Settings of the user, such as log.showRoot, would change the output.
		env := slices.DeleteFunc(os.Environ(), func(variable string) bool { return hasPrefix(variable, "GIT_") })
		env = append(env, "GIT_DIR="+g.dir, "GIT_OBJECT_DIRECTORY="+g.objects, "GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_CONFIG_NOSYSTEM=1", "GIT_ATTR_NOSYSTEM=1")
		below := g.prefix
		if below == "" {
			below = "."
		}
		c := command(ctx, g.dir, env, append(arguments, g.head, "--", below)...)
		out, err := c.StdoutPipe()
		if err == nil {
			err = c.Start()
		}
		if err != nil {
			yield(nil, err)
			return
		}
		scanner := bufio.NewScanner(out)
		scanner.Split(splitZero)
		for scanner.Scan() {
			if !yield(scanner.Bytes(), nil) {
				stop()
				_ = c.Wait() // the loop has what it needs
				return
			}
		}
		err = scanner.Err()
		if err != nil { // a name that is longer than any path
			stop()
			_ = c.Wait()
		} else {
			err = c.Wait()
		}
		if err != nil {
			yield(nil, fmt.Errorf("git %s: %w", arguments[0], err))
		}
	}
}

// splitZero is a [bufio.SplitFunc] for parts that end in a zero byte.
func splitZero(data []byte, atEOF bool) (advance int, part []byte, err error) {
	if end := bytes.IndexByte(data, 0); end >= 0 {
		return end + 1, data[:end], nil
	}
	if atEOF {
		return len(data), nil, nil // cut off
	}
	return 0, nil, nil
}

// command returns a git command that asks for nothing and fetches nothing.
func command(ctx context.Context, folder string, env []string, arguments ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "git", append([]string{"--no-pager", "--literal-pathspecs"}, arguments...)...)
	c.Dir = folder
	c.Env = append(env, "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=",
		"GIT_NO_REPLACE_OBJECTS=1")
	c.WaitDelay = time.Second
	return c
}

// hasPrefix reports whether the name of an environment variable begins with a prefix.
// Windows does not tell upper case from lower.
func hasPrefix(variable, prefix string) bool {
	return len(variable) >= len(prefix) && strings.EqualFold(variable[:len(prefix)], prefix)
}
