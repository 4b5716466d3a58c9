package web

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/mapatools/mapa/internal/app/service"
	"github.com/mapatools/mapa/internal/format"
)

// noContent answers a request that has been done, or returns err.
func noContent(w http.ResponseWriter, err error) error {
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}

// writeJSON answers with a value as JSON, or returns err.
func writeJSON(w http.ResponseWriter, status int, value any, err error) error {
	if err == nil {
		writeAs(w, mediaJSON, status, value)
	}
	return err
}

// writeAs answers with a value as JSON of a media type.
func writeAs(w http.ResponseWriter, mediaType string, status int, value any) {
	var text bytes.Buffer
	if err := format.NewEncoder(&text).Encode(value); err != nil {
		panic(err) // all values are structs of this package
	}
	w.Header().Set("Content-Type", mediaType)
	w.WriteHeader(status)
	_, _ = w.Write(text.Bytes()) // the client may be gone
}

// readJSON reads the body of a request into a struct. Unknown members are errors, so that
// a misspelled one is not ignored. Pages of other sites cannot send this type of content.
func readJSON(r *http.Request, into any) error {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != "application/json" {
		return &statusError{
			status: http.StatusUnsupportedMediaType, code: "media-type", detail: "the body must be application/json",
		}
	}
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return bodyError(err)
	}
	if err := decoder.Decode(&struct{}{}); !errors.Is(err, io.EOF) {
		return badRequest("the body has more than one JSON value")
	}
	return nil
}

// bodyError returns the error for a body that cannot be read.
func bodyError(err error) error {
	large, option := (*http.MaxBytesError)(nil), (*service.OptionError)(nil)
	if errors.As(err, &large) || errors.As(err, &option) {
		return err
	}
	return badRequest("the body cannot be read: %v", err)
}
