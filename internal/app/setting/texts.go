package setting

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mapatools/mapa/crawl"
)

// EncodeSettings returns the settings that differ from their defaults, as JSON with a list
// of texts for each name. Settings for the command line only are left out.
func EncodeSettings(settings, defaults []Setting) (json.RawMessage, error) {
	values := map[string][]string{}
	for i := range settings {
		s := &settings[i]
		texts := s.Texts()
		if !s.CommandLineOnly && !slices.Equal(texts, Find(defaults, s.Name).Texts()) {
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
		if err := s.setTexts(texts); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// setTexts sets what texts has returned.
func (s *Setting) setTexts(texts []string) error {
	switch s.Value.(type) {
	case *[]string, *List, *map[string]int, *map[string]string:
		return s.Assign(texts, true)
	}
	if len(texts) != 1 {
		return errOneValue
	}
	return s.Assign(texts, false)
}

// Texts returns the value as texts, one for each element of a list.
func (s *Setting) Texts() []string {
	switch value := s.Value.(type) {
	case *string:
		return []string{*value}
	case *bool:
		return []string{strconv.FormatBool(*value)}
	case *int:
		return []string{strconv.Itoa(*value)}
	case *int64:
		return []string{strconv.FormatInt(*value, 10)}
	case *float64:
		return []string{strconv.FormatFloat(*value, 'g', -1, 64)}
	case *time.Duration:
		return []string{value.String()}
	case *crawl.Rate:
		if *value == (crawl.Rate{}) {
			return nil // the default depends on the site
		}
		return []string{value.String()}
	case *[]string:
		return *value
	case *List:
		return *value
	case *map[string]int:
		return mapTexts(*value)
	case *map[string]string:
		return mapTexts(*value)
	default:
		panic(fmt.Sprintf("setting %s of type %T", s.Name, s.Value))
	}
}

func mapTexts[T any](values map[string]T) (texts []string) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		texts = append(texts, fmt.Sprintf("%s=%v", name, values[name]))
	}
	return texts
}

// Split separates the values of a map; other values are one text.
func (s *Setting) Split(text string) []string {
	switch s.Value.(type) {
	case *map[string]int, *map[string]string:
		return strings.Split(text, ",")
	}
	return []string{text}
}
