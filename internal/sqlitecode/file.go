package sqlitecode

import (
	"io"
	"os"
)

// IsDatabase reports whether a name is that of a SQLite file: a regular file that begins as
// https://www.sqlite.org/fileformat.html#magic_header_string says. The error is that of
// opening a regular file.
func IsDatabase(name string) (bool, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return false, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return false, err
	}
	defer file.Close()
	const magic = "SQLite format 3\x00"
	head := make([]byte, len(magic))
	_, err = io.ReadFull(file, head)
	return err == nil && string(head) == magic, nil
}
