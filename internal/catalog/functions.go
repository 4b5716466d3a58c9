package catalog

import "reflect"

// Functions returns the functions that templates call: text, texts (a plural), count,
// bytes, decimal, date, time and duration. Where they take a number of things, it has any
// type of integer.
func (c *Catalog) Functions() map[string]any {
	return map[string]any{
		"text":     c.Text,
		"texts":    func(key string, n any, arguments ...any) string { return c.Plural(key, integer(n), arguments...) },
		"count":    func(n any) string { return c.Count(integer(n)) },
		"bytes":    func(n any) string { return c.Bytes(integer(n)) },
		"decimal":  c.Decimal,
		"date":     c.Date,
		"time":     c.Time,
		"duration": c.Duration,
	}
}

// integer returns the value of any signed integer. Another type is an error of the
// program: integer panics, and the template fails.
func integer(n any) int64 { return reflect.ValueOf(n).Int() }
