package scan

import "github.com/mapatools/mapa/internal/urlnorm"

// NormalForm appends the form that all spellings of an address share.
func NormalForm(dst, loc []byte) ([]byte, error) {
	var room [512]byte
	resolved, err := absolute.AppendResolve(room[:0], loc)
	if err != nil {
		return dst, err
	}
	return urlnorm.AppendKey(dst, resolved, urlnorm.KeyOptions{}), nil
}

// absolute resolves absolute addresses only.
var absolute urlnorm.Base
