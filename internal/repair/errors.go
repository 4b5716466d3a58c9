package repair

import "fmt"

// An OverwriteError says that a copy would overwrite a file. Nothing was written.
type OverwriteError struct {
	File     string // path of the copy
	Original bool   // the file is one of the originals, so Options.Force does not help
}

// Error names the file.
func (e *OverwriteError) Error() string {
	if e.Original {
		return fmt.Sprintf("the copy %s would overwrite an original: choose another folder", e.File)
	}
	return fmt.Sprintf("the copy would overwrite %s, which mapa did not write", e.File)
}
