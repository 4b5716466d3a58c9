package format

import (
	"bufio"
	"io"
	"strings"
)

const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// sarifLevels maps levels to their names in SARIF
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html, 3.27.10).
var sarifLevels = [...]string{LevelError: "error", LevelWarning: "warning", LevelInfo: "note", LevelOff: "none"}

// problemSeverities maps levels to their names in GitHub's rule properties
// (https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support).
var problemSeverities = [...]string{LevelError: "error", LevelWarning: "warning", LevelInfo: "recommendation"}

// SARIF writes results in the Static Analysis Results Interchange Format 2.1.0, in
// constant memory. It is not safe for concurrent use.
type SARIF struct {
	out   *bufio.Writer
	index map[string]int // of the rules, by ID
	line  []byte
	count int
	err   error
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifTool struct {
	Driver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	} `json:"driver"`
}

type sarifRule struct {
	ID                   string         `json:"id"`
	Name                 string         `json:"name"`
	ShortDescription     sarifText      `json:"shortDescription"`
	FullDescription      sarifText      `json:"fullDescription"`
	Help                 sarifText      `json:"help"`
	HelpURI              string         `json:"helpUri"`
	DefaultConfiguration sarifLevel     `json:"defaultConfiguration"`
	Properties           map[string]any `json:"properties"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           *int              `json:"ruleIndex,omitempty"`
	Level               string            `json:"level"`
	Message             sarifText         `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	OccurrenceCount     int               `json:"occurrenceCount,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints,omitempty"`
}

type sarifLocation struct {
	PhysicalLocation struct {
		ArtifactLocation struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region sarifRegion `json:"region"`
	} `json:"physicalLocation"`
}

type sarifRegion struct {
	StartLine   int        `json:"startLine"`
	StartColumn int        `json:"startColumn,omitempty"`
	Snippet     *sarifText `json:"snippet,omitempty"`
}

// NewSARIF begins the log of one run of this version of Mapa. Its results refer to
// the rules by their IDs.
func NewSARIF(w io.Writer, version string, rules []Rule) *SARIF {
	s := &SARIF{out: bufio.NewWriter(w), index: map[string]int{}}
	var tool sarifTool
	tool.Driver.Name, tool.Driver.Version, tool.Driver.InformationURI = "Mapa", version, ProjectURL
	tool.Driver.Rules = make([]sarifRule, 0, len(rules))
	for i, r := range rules {
		s.index[r.ID] = i
		tool.Driver.Rules = append(tool.Driver.Rules, describe(r))
	}
	s.print(`{"$schema":"` + sarifSchema + `","version":"2.1.0","runs":[{"tool":`)
	s.encode(tool)
	s.print(`,"columnKind":"utf16CodeUnits","results":[`)
	return s
}

func describe(r Rule) sarifRule {
	properties := map[string]any{"tags": r.Tags, "problem.severity": problemSeverities[r.Level]}
	for name, value := range r.Properties {
		properties[name] = value
	}
	return sarifRule{
		ID: r.ID, Name: pascalCase(r.ID), HelpURI: r.URL,
		ShortDescription:     sarifText{Text: r.Title},
		FullDescription:      sarifText{Text: r.Why},
		Help:                 sarifText{Text: r.Why, Markdown: r.Help},
		DefaultConfiguration: sarifLevel{sarifLevels[r.Level]},
		Properties:           properties,
	}
}

// pascalCase returns the SARIF name of a rule: loc-too-long becomes LocTooLong.
func pascalCase(id string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(id, "-") {
		if word != "" {
			b.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return b.String()
}

// Write adds a result.
func (s *SARIF) Write(r *Result) error {
	result := sarifResult{
		RuleID: r.Rule, Level: sarifLevels[r.Level], Message: sarifText{Text: unlinked(r.Message)}, OccurrenceCount: r.Count,
	}
	if i, known := s.index[r.Rule]; known {
		result.RuleIndex = &i
	}
	if r.Fingerprint != "" {
		// GitHub reads no other name. Without it, GitHub hashes the line, and a
		// sitemap is often a single line.
		result.PartialFingerprints = map[string]string{"primaryLocationLineHash": r.Fingerprint}
	}
	var location sarifLocation
	location.PhysicalLocation.ArtifactLocation.URI = reference(r.Location)
	region := &location.PhysicalLocation.Region
	region.StartLine, region.StartColumn = max(r.Line, 1), r.Character // GitHub shows nothing without a line
	if r.Evidence != "" {
		region.Snippet = &sarifText{Text: r.Evidence}
	}
	result.Locations = []sarifLocation{location}
	if s.count > 0 {
		s.print(",")
	}
	s.count++
	s.print("\n")
	s.encode(result)
	return s.err
}

// unlinked escapes the beginning of links that a message would otherwise contain
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html, 3.11.6).
func unlinked(message string) string {
	return strings.ReplaceAll(Printable(message), "](", `\](`)
}

// Close ends the log and flushes it. It does not close the underlying writer.
func (s *SARIF) Close() error {
	s.print("\n]}]}\n")
	if s.err != nil {
		return s.err
	}
	return s.out.Flush()
}

// Err returns the first error of a write.
func (s *SARIF) Err() error { return s.err }

func (s *SARIF) print(text string) {
	if s.err == nil {
		_, s.err = s.out.WriteString(text)
	}
}

func (s *SARIF) encode(value any) {
	if s.err != nil {
		return
	}
	if s.line, s.err = AppendJSON(s.line[:0], value); s.err == nil {
		_, s.err = s.out.Write(s.line)
	}
}
