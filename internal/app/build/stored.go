package build

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"

	"github.com/mapatools/mapa/sitemap"
)

// appendRow appends a row for parseRow.
func appendRow(dst []byte, row *buildRow) []byte {
	var extensions []byte
	if !row.Extensions.IsZero() {
		extensions, _ = json.Marshal(&row.Extensions) // this struct can always be encoded
	}
	for _, text := range [...]string{
		row.Loc, row.LastMod.String(), string(row.ChangeFreq), row.Title, row.location, string(extensions),
	} {
		dst = append(binary.AppendVarint(dst, int64(len(text))), text...)
	}
	priority, present := row.Priority.Value()
	isLog := int64(0)
	if row.isLog {
		isLog = 1
	}
	if !present {
		priority = math.NaN()
	}
	for _, number := range [...]int64{
		int64(row.line), isLog, int64(math.Float64bits(priority)),
	} {
		dst = binary.AppendVarint(dst, number)
	}
	return dst
}

// parseRow reads what appendRow has written. The row is one of the ring.
func (b *build) parseRow(text []byte) (*buildRow, error) {
	d := rowDecoder{bytes: text, text: string(text)}
	row := b.ring.next()
	*row = buildRow{}
	row.Loc = d.string()
	lastMod := d.string()
	row.ChangeFreq, row.Title, row.location = sitemap.ChangeFreq(d.string()), d.string(), d.string()
	extensions := d.string()
	row.line, row.isLog = int(d.number()), d.number() == 1
	if priority := math.Float64frombits(uint64(d.number())); !math.IsNaN(priority) {
		row.Priority = sitemap.PriorityOf(priority)
	}
	var err error
	if lastMod != "" {
		row.LastMod, err = sitemap.ParseDate(lastMod)
	}
	if extensions != "" {
		err = errors.Join(err, json.Unmarshal([]byte(extensions), &row.Extensions))
	}
	if d.damaged || len(d.bytes) > 0 {
		err = errDamagedRow
	}
	return row, err
}

var errDamagedRow = errors.New("a temporary file was changed")

// A rowDecoder reads the fields of a stored row.
type rowDecoder struct {
	bytes   []byte // that are not read yet
	text    string // all bytes
	damaged bool
}

func (d *rowDecoder) number() int64 {
	n, size := binary.Varint(d.bytes)
	if size <= 0 {
		d.damaged = true
		return 0
	}
	d.bytes = d.bytes[size:]
	return n
}

func (d *rowDecoder) string() string {
	length := d.number()
	if length < 0 || length > int64(len(d.bytes)) {
		d.damaged = true
		return ""
	}
	from := len(d.text) - len(d.bytes)
	d.bytes = d.bytes[length:]
	return d.text[from : from+int(length)]
}
