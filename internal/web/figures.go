package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	appfigures "github.com/mapatools/mapa/internal/app/figures"
)

const (
	maxFigures     = 64_000_000 // bytes of the files of an upload
	maxFigureFiles = 20
	// figuresTime is how long reading the files of an upload and joining them with a crawl may take.
	figuresTime = 3 * time.Minute
)

var (
	errNoFiles   = &statusError{status: http.StatusBadRequest, code: "bad-request", detail: "the request has no file"}
	errManyFiles = &statusError{
		status: http.StatusBadRequest, code: "bad-request",
		detail: fmt.Sprintf("the request has more than %d files", maxFigureFiles),
	}
)

// addFigures adds the exports in the body of a request to the figures of a site.
func (s *Server) addFigures(w http.ResponseWriter, r *http.Request) (*appfigures.Result, error) {
	files, err := receiveFiles(r)
	defer os.RemoveAll(files.folder)
	if err != nil {
		return nil, err
	}
	if err := allowTime(http.NewResponseController(w), figuresTime+writeTime); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(r.Context(), figuresTime)
	defer cancel()
	added, err := s.options.Service.AddFigures(ctx, r.PathValue("name"), files.names)
	if file, is := errors.AsType[*appfigures.FileError](err); is {
		err = &appfigures.FileError{Name: files.shown(file.Name), Err: file.Err}
	}
	return added, err
}

// receivedFiles are the files of an upload in a temporary folder, which whoever received them removes.
type receivedFiles struct {
	folder string
	names  []string // paths
}

// receiveFiles writes the files of a form to a folder. Files with different names are in one folder below it: exports
// that are unpacked are read together.
func receiveFiles(r *http.Request) (files receivedFiles, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return files, bodyError(err)
	}
	if files.folder, err = os.MkdirTemp("", "mapa-"); err != nil {
		return files, err
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return files, bodyError(err)
		}
		switch {
		case part.FileName() == "": // another field, or no file was chosen
			continue
		case len(files.names) == maxFigureFiles:
			return files, errManyFiles
		}
		if err := files.receive(part.FileName(), part); err != nil {
			return files, err
		}
	}
	if len(files.names) == 0 {
		return files, errNoFiles
	}
	return files, nil
}

// receive writes a file to the first of the folders that has none of its name.
func (f *receivedFiles) receive(name string, in io.Reader) error {
	for i := 0; ; i++ {
		folder := filepath.Join(f.folder, strconv.Itoa(i))
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return err
		}
		path := filepath.Join(folder, safeName(name))
		out, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return err
		}
		f.names = append(f.names, path)
		_, err = io.Copy(out, in)
		if err = errors.Join(err, out.Close()); err == nil {
			return nil
		}
		if _, isDisk := errors.AsType[*fs.PathError](err); isDisk {
			return err
		}
		return bodyError(err)
	}
}

// shown returns the name of a file, and what follows it in an error, as the person knows it.
func (f *receivedFiles) shown(name string) string {
	_, shown, _ := strings.Cut(strings.TrimPrefix(name, f.folder+string(filepath.Separator)), string(filepath.Separator))
	return shown
}

// maxName is the number of characters of the name of a file, up to four bytes each. Its end has the day and the type.
const maxName = 60

// safeName returns the name of a file that somebody sent, without folders and what file systems refuse.
func safeName(name string) string {
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	safe := []rune(strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) || strings.ContainsRune(`<>:"|?*`, c) {
			return '_'
		}
		return c
	}, name))
	return cmp.Or(strings.TrimLeft(string(safe[max(0, len(safe)-maxName):]), ". "), "file")
}
