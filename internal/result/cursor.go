package result

import (
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
)

// A cursor is the key and the ID of the last page of a part, as two numbers, or one
// number, or a text.

func newPageCursor(key uint32, id int64) string { return fmt.Sprintf("%d.%d", key, id) }

// pageCursor reads the cursor of a list of pages. The IDs begin at 1.
func pageCursor(cursor string) (key uint32, id int64, err error) {
	if cursor == "" {
		return 0, 0, nil
	}
	before, after, _ := strings.Cut(cursor, ".")
	first, err := strconv.ParseUint(before, 10, 32)
	if err != nil {
		return 0, 0, ErrCursor
	}
	id, err = numberCursor(after)
	return uint32(first), id, err
}

// numberCursor reads the cursor of a list of numbers, which begin at 1.
func numberCursor(cursor string) (int64, error) {
	if cursor == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(cursor, 10, 64)
	if err != nil || n < 0 {
		return 0, ErrCursor
	}
	return n, nil
}

// The cursor of a list of texts has a mark before the text, which may be empty.
const textMark = "="

func newTextCursor(last string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(textMark + last))
}

// textCursor returns the last text of a part, after its mark.
func textCursor(cursor string) (string, error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || cursor != "" && !strings.HasPrefix(string(text), textMark) {
		return "", ErrCursor
	}
	return string(text), nil
}
