package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/mapatools/mapa/internal/view"
)

//go:embed static
var staticFiles embed.FS

// assets are the files that pages load, by the names that have a hash of the content, and
// these names by the plain ones. What a browser has under such a name is never outdated.
type assets struct {
	files map[string][]byte
	names map[string]string
}

var allAssets = sync.OnceValue(func() *assets {
	a := &assets{files: map[string][]byte{}, names: map[string]string{}}
	a.add("shared.css", []byte(view.Style()))
	for _, name := range []string{"web.css", "page.js", "live.js", "icon.svg"} {
		text, err := staticFiles.ReadFile("static/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		a.add(name, text)
	}
	return a
})

func (a *assets) add(name string, text []byte) {
	hash := sha256.Sum256(text)
	extension := path.Ext(name)
	hashed := strings.TrimSuffix(name, extension) + "-" + hex.EncodeToString(hash[:6]) + extension
	a.files[hashed], a.names[name] = text, hashed
}

// path returns where pages load an asset from. An unknown name is an error of the
// program.
func (a *assets) path(name string) string {
	hashed, known := a.names[name]
	if !known {
		panic("no asset " + name)
	}
	return "/static/" + hashed
}

var assetTypes = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
}

// serveAsset sends a file that pages load.
func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request) error {
	name := r.PathValue("name")
	text, known := allAssets().files[name]
	if !known {
		return errNoPage
	}
	w.Header().Set("Content-Type", assetTypes[path.Ext(name)])
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	_, _ = w.Write(text) // the client may be gone
	return nil
}
