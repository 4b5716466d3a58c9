package web

import (
	"archive/zip"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"path"
	"strings"
	"time"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/format"
)

// filePolicy keeps a file that a browser shows in spite of its headers from running
// anything: what it says comes from a stranger's site.
const filePolicy = "sandbox; default-src 'none'; frame-ancestors 'none'"

// compressedSuffix asks for a file in compressed form.
const compressedSuffix = ".gz"

// download sends a file of a result, to be saved and not shown. A name that ends in ".gz"
// is that of a file as it is, or else asks for a file in compressed form.
func (s *Server) download(w http.ResponseWriter, r *http.Request) error {
	id, name := r.PathValue("id"), r.PathValue("name")
	file, err := s.options.Service.OpenFile(r.Context(), id, name)
	plain, compress := strings.CutSuffix(name, compressedSuffix)
	if compress = compress && errors.Is(err, service.ErrNotFound); compress {
		file, err = s.options.Service.OpenFile(r.Context(), id, plain)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	end, err := s.streams.take(callerOf(r))
	if err != nil {
		return err
	}
	defer end()
	attach(w, path.Base(name), mediaTypeOf(name))
	w.Header().Set("Cache-Control", "private, no-cache")
	out := newDeadlineWriter(w)
	switch sheet := isSheet(r, file.Name()); {
	case compress:
		packed := gzip.NewWriter(out)
		return errors.Join(copyFile(packed, file, r, sheet), packed.Close())
	case sheet:
		return copyFile(out, file, r, sheet)
	}
	http.ServeContent(out, r, "", info.ModTime(), file)
	return nil
}

// isSheet reports whether a file is sent as a table for spreadsheets: programs get it as it is.
func isSheet(r *http.Request, name string) bool { return path.Ext(name) == ".csv" && !isForProgram(r) }

// copyFile sends a file as it is, or a table as exports are.
func copyFile(out io.Writer, file io.Reader, r *http.Request, sheet bool) error {
	if !sheet {
		_, err := io.Copy(out, file)
		return err
	}
	table, rows := format.NewSheet(out, catalogOf(r).ListSeparator()), csv.NewReader(file)
	rows.FieldsPerRecord, rows.ReuseRecord = -1, true
	for {
		cells, err := rows.Read()
		if err == io.EOF {
			table.Flush()
			return table.Error()
		}
		if err == nil {
			err = table.Write(cells)
		}
		if err != nil {
			return err
		}
	}
}

// attach makes a browser save the answer under a name.
func attach(w http.ResponseWriter, name, mediaType string) {
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Content-Security-Policy", filePolicy)
}

// mediaTypes are the types of the files of a result.
var mediaTypes = map[string]string{
	".xml": "application/xml", ".gz": "application/gzip", ".html": "text/html; charset=utf-8",
	".txt": "text/plain; charset=utf-8", ".css": "text/css; charset=utf-8",
	".csv": "text/csv; charset=utf-8", ".jsonl": "application/jsonl", ".json": "application/json",
}

func mediaTypeOf(name string) string {
	if known, ok := mediaTypes[path.Ext(name)]; ok {
		return known
	}
	return "application/octet-stream"
}

// downloadAll sends all files of a result as a zip archive, while it is made.
func (s *Server) downloadAll(w http.ResponseWriter, r *http.Request) error {
	c, err := s.options.Service.Crawl(r.Context(), r.PathValue("id"))
	switch {
	case err != nil:
		return err
	case len(c.Files) == 0:
		return service.ErrNotFound
	}
	end, err := s.streams.take(callerOf(r))
	if err != nil {
		return err
	}
	defer end()
	attach(w, archiveName(c), "application/zip")
	archive := zip.NewWriter(newDeadlineWriter(w))
	for _, f := range c.Files {
		if err := s.addToArchive(r, archive, c.ID, f.Name); err != nil {
			return err
		}
	}
	return archive.Close()
}

// archiveName returns a name without characters that a file system or a header could take
// for something else.
func archiveName(c *service.Crawl) string {
	name := []byte(c.Site)
	for i, b := range name {
		if (b < 'a' || b > 'z') && (b < '0' || b > '9') && b != '.' {
			name[i] = '-'
		}
	}
	return string(name) + "-" + c.Created.UTC().Format(time.DateOnly) + ".zip"
}

func (s *Server) addToArchive(r *http.Request, archive *zip.Writer, id, name string) error {
	file, err := s.options.Service.OpenFile(r.Context(), id, name)
	if err != nil {
		return err
	}
	defer file.Close()
	header, err := zipHeader(file, name)
	if err != nil {
		return err
	}
	out, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	return copyFile(out, file, r, isSheet(r, name))
}

func zipHeader(file *os.File, name string) (*zip.FileHeader, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	header, err := zip.FileInfoHeader(info)
	if err != nil {
		return nil, err
	}
	header.Name, header.Method = name, zip.Deflate
	if path.Ext(name) == ".gz" {
		header.Method = zip.Store
	}
	return header, nil
}

// A deadlineWriter extends the deadline for writing with every write, so that a client that
// keeps reading is not cut off.
type deadlineWriter struct {
	http.ResponseWriter
	control *http.ResponseController
}

func newDeadlineWriter(w http.ResponseWriter) *deadlineWriter {
	return &deadlineWriter{w, http.NewResponseController(w)}
}

// Write implements [http.ResponseWriter].
func (p *deadlineWriter) Write(text []byte) (int, error) {
	if err := extendWrite(p.control, streamWrite); err != nil {
		return 0, err
	}
	return p.ResponseWriter.Write(text)
}
