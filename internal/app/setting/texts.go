package setting

import (
	"encoding/json"
	"fmt"
	"slices"
)

// EncodeSettings returns the settings that differ from their defaults, as JSON with a list
// of texts for each name. Settings for the command line only are left out.
func EncodeSettings(settings, defaults []Setting) (json.RawMessage, error) {
	values := map[string][]string{}
	for i := range settings {
		s := &settings[i]
		texts := s.Value.Texts()
		if !s.CommandLineOnly && !slices.Equal(texts, Find(defaults, s.Name).Value.Texts()) {
			values[s.Name] = texts
		}
	}
	return json.Marshal(values)
}

// DecodeSettings gives settings the values that EncodeSettings has written.
func DecodeSettings(settings []Setting, encoded []byte) error {
	var values map[string][]string
	if err := json.Unmarshal(encoded, &values); err != nil {
		return err
	}
	for name, texts := range values {
		s := Find(settings, name)
		if s == nil || s.CommandLineOnly {
			return fmt.Errorf("unknown setting %q", name)
		}
		if err := s.Value.Assign(texts, s.Value.IsList() || len(texts) != 1); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
