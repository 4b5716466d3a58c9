package lint

import (
	"encoding"
	"fmt"
)

// Severity is how much a finding matters. The zero value is SeverityOff: the rule
// is not applied.
type Severity uint8

// The severities, from the lowest.
const (
	SeverityOff     Severity = iota
	SeverityInfo             // worth knowing
	SeverityWarning          // an engine ignores a part, or is likely to
	SeverityError            // the protocol, or the engine, refuses it
)

var severityNames = [...]string{"off", "info", "warning", "error"}

var (
	_ encoding.TextMarshaler   = Severity(0)
	_ encoding.TextUnmarshaler = (*Severity)(nil)
)

// String returns the name of the severity in lower case.
func (s Severity) String() string { return severityNames[s] }

// MarshalText returns the name.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads the name.
func (s *Severity) UnmarshalText(text []byte) error {
	for i, name := range severityNames {
		if name == string(text) {
			*s = Severity(i)
			return nil
		}
	}
	return fmt.Errorf("severity is off, info, warning or error, not %q", text)
}
