package lint

import (
	"github.com/mapatools/mapa/internal/urlnorm"
)

// normalForm appends the form that all spellings of an address have in common.
func normalForm(dst, loc []byte) ([]byte, error) {
	base := urlnorm.Base{}
	resolved, err := base.AppendResolve(nil, loc)
	if err != nil {
		return dst, err
	}
	return urlnorm.AppendKey(dst, resolved, urlnorm.KeyOptions{}), nil
}

func usualPort(scheme string) string {
	switch scheme {
	case "http":
		return "80"
	case "https":
		return "443"
	}
	return ""
}
