package result

import "strconv"

// A Part says which part of a list it is.
type Part struct {
	Before   int    `json:"-"`              // rows before it
	Previous string `json:"-"`              // cursor of the part before it; empty for the first part
	Next     string `json:"next,omitempty"` // cursor of the next part; empty at the end
}

// Limits of a part of a list.
const (
	defaultLimit = 50
	maxLimit     = 1000
)

func clampLimit(limit int) int {
	if limit <= 0 {
		return defaultLimit
	}
	return min(limit, maxLimit)
}

// The cursor of a list is the number of rows before a part.

// numberCursor reads a cursor.
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
