package web

import "net/http"

// export sends a list of a result as a table or as JSON, while it is read.
func (s *Server) export(w http.ResponseWriter, r *http.Request) error {
	filter, err := filterOf(r)
	if err != nil {
		return err
	}
	format := r.URL.Query().Get("format")
	if exportNames[format] == "" {
		return badRequest("the format must be csv or json")
	}
	result, release, err := s.options.Service.OpenResult(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	defer release()
	end, err := s.streams.take(callerOf(r))
	if err != nil {
		return err
	}
	defer end()
	attach(w, "pages."+format, mediaTypeOf("."+format))
	return result.Export(r.Context(), newPatientWriter(w), filter, format)
}
