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

// MayBeDatabase reports whether SQLite may open a name to write to it: that of a regular
// file, or of none. SQLite writes its header into a file of one byte, and makes the file
// that a link names, which may be anywhere.
func MayBeDatabase(name string) bool {
	info, err := os.Stat(name)
	if err == nil {
		return info.Mode().IsRegular() && info.Size() != 1
	}
	_, err = os.Lstat(name)
	return err != nil
}
