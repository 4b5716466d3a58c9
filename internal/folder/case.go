package folder

import (
	"io/fs"
	"path"
	"runtime"
)

// hasCase reports whether a file that exists is named exactly so. File systems of macOS
// and Windows also find it in another case, which web hosts do not.
func (s *Site) hasCase(name string) bool {
	if runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		return true
	}
	for at := name; at != "."; at = path.Dir(at) {
		entries, err := fs.ReadDir(s.root.FS(), path.Dir(at))
		if err != nil {
			return false
		}
		found := false
		for _, entry := range entries {
			found = found || entry.Name() == path.Base(at)
		}
		if !found {
			return false
		}
	}
	return true
}
