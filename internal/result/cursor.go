package result

import (
	"fmt"
	"strconv"
	"strings"
)

// The cursor of a list of pages is the key and the ID of the last one of a part, as two numbers. That of other
// lists is the number of rows before a part.

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

// numberCursor reads a cursor that is one number.
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

// newPart returns the part of a list that has rows, after others. The limit is that of all parts.
func newPart(before int64, rows, total, limit int) Part {
	p := Part{Before: int(min(before, int64(total)))}
	if p.Before > limit {
		p.Previous = strconv.Itoa(p.Before - limit)
	}
	if next := p.Before + rows; rows > 0 && next < total {
		p.Next = strconv.Itoa(next)
	}
	return p
}
