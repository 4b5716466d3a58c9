package folder

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strconv"
	"strings"
)

// maxRules is the size of a file of rules, in bytes.
const maxRules = 4 << 20

// readRules reads a file of rules, which need not exist.
func readRules[T any](root *os.Root, name string, parse func(lines []string) []T) ([]T, error) {
	file, err := root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var lines []string
	scanner := bufio.NewScanner(io.LimitReader(file, maxRules))
	scanner.Buffer(nil, 64<<10)
	for scanner.Scan() {
		line, _, _ := strings.Cut(scanner.Text(), " #")
		if trimmed := strings.TrimSpace(line); trimmed != "" && trimmed[0] != '#' {
			lines = append(lines, strings.TrimRight(line, " \t\r"))
		}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return parse(lines), nil
}

// A pattern is a path with placeholders such as :name, and perhaps a * at its end.
type pattern struct {
	segments []string
	splat    bool
}

func parsePattern(text string) pattern {
	rest, splat := strings.CutSuffix(text, "*")
	return pattern{strings.Split(strings.TrimSuffix(rest, "/"), "/"), splat}
}

// match reports whether a path fits, and what the placeholders stand for.
func (p *pattern) match(path string) (values map[string]string, ok bool) {
	segments := strings.Split(strings.TrimSuffix(path, "/"), "/")
	if len(segments) < len(p.segments) || !p.splat && len(segments) > len(p.segments) {
		return nil, false
	}
	for i, want := range p.segments {
		if name, isPlaceholder := strings.CutPrefix(want, ":"); isPlaceholder && segments[i] != "" {
			if values == nil {
				values = map[string]string{}
			}
			values[name] = segments[i]
		} else if want != segments[i] {
			return nil, false
		}
	}
	if p.splat {
		if values == nil {
			values = map[string]string{}
		}
		values["splat"] = strings.Join(segments[len(p.segments):], "/")
	}
	return values, true
}

// A redirect is a rule of _redirects
// (https://docs.netlify.com/manage/routing/redirects/overview/).
type redirect struct {
	from   pattern
	to     string
	status int
	forced bool // even where a file exists
}

// parseRedirects reads rules: FROM TO, with a status or without. Rules with further conditions, which no
// crawler meets, are skipped.
func parseRedirects(lines []string) (rules []redirect) {
	for _, line := range lines {
		fields := strings.Fields(line)
		if len(fields) < 2 || len(fields) > 3 || !strings.HasPrefix(fields[0], "/") {
			continue
		}
		rule := redirect{from: parsePattern(fields[0]), to: fields[1], status: http.StatusMovedPermanently}
		if len(fields) == 3 {
			text, forced := strings.CutSuffix(fields[2], "!")
			status, err := strconv.Atoi(text)
			if err != nil || status < 200 || status > 599 {
				continue
			}
			rule.status, rule.forced = status, forced
		}
		rules = append(rules, rule)
	}
	return rules
}

// redirect returns the first rule for a path and its target. Only forced rules count
// before it is known whether there is a file.
func (s *Site) redirect(path string, forced bool) (*redirect, string) {
	for i := range s.redirects {
		rule := &s.redirects[i]
		if rule.forced != forced {
			continue
		}
		values, ok := rule.from.match(path)
		if !ok {
			continue
		}
		target := rule.to
		for name, value := range values {
			target = strings.ReplaceAll(target, ":"+name, value)
		}
		if target != path { // which would never end
			return rule, target
		}
	}
	return nil, ""
}

// A headerRule is a rule of _headers
// (https://developers.cloudflare.com/pages/configuration/headers/).
type headerRule struct {
	path   pattern
	set    http.Header
	remove []string
}

// parseHeaders reads a path, then lines that are indented: NAME: VALUE, or ! NAME.
func parseHeaders(lines []string) (rules []headerRule) {
	for _, line := range lines {
		if line[0] != ' ' && line[0] != '\t' {
			rules = append(rules, headerRule{path: parsePattern(line), set: http.Header{}})
			continue
		}
		if len(rules) == 0 {
			continue
		}
		rule := &rules[len(rules)-1]
		line = strings.TrimSpace(line)
		if name, removed := strings.CutPrefix(line, "!"); removed {
			rule.remove = append(rule.remove, strings.TrimSpace(name))
		} else if name, value, found := strings.Cut(line, ":"); found {
			rule.set.Add(strings.TrimSpace(name), strings.TrimSpace(value))
		}
	}
	return rules
}

// apply changes the header of a response for a path.
func (r *headerRule) apply(path string, header http.Header) {
	if _, ok := r.path.match(path); !ok {
		return
	}
	for _, name := range r.remove {
		header.Del(name)
	}
	for name, values := range r.set {
		header[http.CanonicalHeaderKey(name)] = values
	}
}
