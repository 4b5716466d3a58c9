package hostile

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// formatProblems returns what is wrong with an output: what is not safe in any
// format, and what is not valid in this one.
func formatProblems(format, text string) []string {
	var problems []string
	add := func(problem string) {
		if problem != "" {
			problems = append(problems, fmt.Sprintf("%.700s", problem))
		}
	}
	add(validity(format, text))
	switch format {
	case "github":
		for line := range strings.Lines(text) {
			if commandIn(line) == "::" && !annotation.MatchString(line) {
				add(fmt.Sprintf("a command of the site's: %.300q", line))
				break
			}
		}
		text = annotation.ReplaceAllString(text, "")
	case "csv":
		text = strings.ReplaceAll(text, "\r\n", "\n")
	case "published":
		// Nobody prints these files, and their titles are the site's.
		text = strings.NewReplacer("##[", "", "##vso[", "").Replace(text)
	}
	// Each kind of problem once.
	var kinds []string
	for line := range strings.Lines(text) {
		problem := textProblem(line)
		kind, _, _ := strings.Cut(problem, " in ")
		if problem != "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
			if len(kinds) <= 5 {
				add(problem)
			}
		}
	}
	if len(kinds) > 5 {
		add(fmt.Sprintf("%d kinds of unsafe text in all: %s", len(kinds), strings.Join(kinds, ", ")))
	}
	return problems
}

// annotation is a workflow command with the properties that Mapa writes.
var annotation = regexp.MustCompile(`(?m)^::(error|warning|notice) ` +
	`(file=[^:,\n]*,)?(line=\d+,)?(col=\d+,)?title=[^:,\n]*::`)

func validity(format, text string) string {
	switch format {
	case "json", "sarif":
		if !json.Valid([]byte(text)) {
			return fmt.Sprintf("invalid JSON: %.300q", text)
		}
	case "jsonl":
		for line := range strings.Lines(text) {
			if !json.Valid([]byte(line)) {
				return fmt.Sprintf("invalid JSON: %.300q", line)
			}
		}
	case "csv":
		return csvProblem(text)
	case "xml", "junit":
		return xmlProblem(text)
	case "html":
		return htmlProblem(text)
	}
	return ""
}

// csvProblem checks that a table is valid and no cell is a formula.
func csvProblem(text string) string {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return "invalid CSV: " + err.Error()
	}
	for _, row := range rows {
		for _, cell := range row {
			if _, err := strconv.ParseFloat(cell, 64); err == nil {
				continue
			}
			if first, _ := utf8.DecodeRuneInString(cell); cell != "" && strings.ContainsRune("=+-@\t\r＝＋－＠", first) {
				return fmt.Sprintf("a formula: %.200q", cell)
			}
		}
	}
	return ""
}

// xmlProblem checks XML with encoding/xml, and with xmllint where it is installed.
func xmlProblem(text string) string {
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return "invalid XML: " + err.Error()
		}
	}
	if name, err := exec.LookPath("xmllint"); err == nil {
		command := exec.Command(name, "--noout", "--nonet", "--huge", "-")
		command.Stdin = strings.NewReader(text)
		if output, err := command.CombinedOutput(); err != nil {
			return fmt.Sprintf("xmllint: %.300s", output)
		}
	}
	return ""
}

// htmlProblem checks that no text has become markup.
func htmlProblem(text string) string {
	page := html.NewTokenizer(strings.NewReader(text))
	for {
		kind := page.Next()
		if kind == html.ErrorToken {
			return ""
		}
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		token := page.Token()
		if token.Data == "owned" {
			return "an element of the site's"
		}
		for _, attribute := range token.Attr {
			value := strings.ToLower(strings.TrimSpace(attribute.Val))
			if attribute.Key == "onowned" || attribute.Key == "href" && strings.HasPrefix(value, "javascript:") {
				return fmt.Sprintf("the attribute %s=%.100q", attribute.Key, attribute.Val)
			}
		}
	}
}
