package web

import (
	_ "embed" // the document
	"net/http"
)

// openAPI describes the API (https://spec.openapis.org/oas/v3.1.0). Tests compare it with
// the routes, and what they answer with its schemas.
//
//go:embed openapi.json
var openAPI []byte

// apiDocument sends the description of the API.
func (s *Server) apiDocument(w http.ResponseWriter, _ *http.Request) error {
	w.Header().Set("Content-Type", mediaJSON)
	_, err := w.Write(openAPI)
	return err
}
