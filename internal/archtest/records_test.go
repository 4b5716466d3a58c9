package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mapatools/mapa/internal/format/formattest"
)

// privateJSON are internal packages whose JSON no user reads: it stays in files and messages
// that have versions of their own, is that of another program, or is recorded in openapi.json.
var privateJSON = map[string]bool{
	"internal/app/crawlfile": true,
	"internal/browser":       true,
	"internal/extract":       true,
	"internal/format":        true,
	"internal/jobs":          true,
	"internal/journal":       true,
	"internal/result":        true,
	"internal/sitepages":     true,
	"internal/store":         true,
	"internal/testsite":      true,
	"internal/web":           true,
}

// TestJSON records the keys of the JSON that commands, reports, notifications and MCP write.
// The types of public packages are in the records of TestAPI, except those of rules.
// UPDATE_GOLDEN=1 rewrites the file.
func TestJSON(t *testing.T) {
	var lines []string
	walk(t, func(name, text string) {
		folder := path.Dir(name)
		isOutput := strings.HasPrefix(folder, "internal/") && !privateJSON[folder] || name == "lint/rule_json.go"
		if !isOutput || strings.HasSuffix(name, "_test.go") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			lines = append(lines, jsonKeys(folder, declared)...)
		}
	}, ".go")
	if len(lines) < 300 {
		t.Errorf("found only %d keys", len(lines))
	}
	slices.Sort(lines)
	formattest.Golden(t, filepath.Join("testdata", "json.txt"), []byte(strings.Join(lines, "\n")+"\n"))
}

// jsonKeys returns a line for each field of the structs in a declaration that have JSON tags:
// the type, or the function that has it, the key with its options, and the type of the value.
func jsonKeys(folder string, declared ast.Decl) (lines []string) {
	owner := ""
	if function, is := declared.(*ast.FuncDecl); is {
		owner = function.Name.Name
	}
	ast.Inspect(declared, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			owner = n.Name.Name
		case *ast.StructType:
			if !slices.ContainsFunc(n.Fields.List, func(f *ast.Field) bool { return jsonTag(f) != "" }) {
				return true
			}
			for _, field := range n.Fields.List {
				key := jsonTag(field)
				if key == "" && len(field.Names) == 0 {
					key = "(embedded)"
				}
				if key != "" && key != "-" {
					lines = append(lines, fmt.Sprintf("%s.%s %s %s", folder, owner, key, types.ExprString(field.Type)))
				}
			}
		}
		return true
	})
	return lines
}

var jsonKey = regexp.MustCompile(`json:"([^"]*)"`)

func jsonTag(field *ast.Field) string {
	if field.Tag == nil {
		return ""
	}
	if match := jsonKey.FindStringSubmatch(field.Tag.Value); match != nil {
		return match[1]
	}
	return ""
}

var metricName = regexp.MustCompile(`^(mapa|go)_[a-z_]+$`)

// TestMetrics records the names of the metrics, the constants of files that import package prometheus,
// and the labels of their samples. UPDATE_GOLDEN=1 rewrites the file.
func TestMetrics(t *testing.T) {
	var names []string
	walk(t, func(name, text string) {
		if strings.HasSuffix(name, "_test.go") || !strings.Contains(text, module+"internal/prometheus\"") {
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if value := stringOf(n); metricName.MatchString(value) {
					names = append(names, value)
				}
			case *ast.CallExpr:
				if called, is := n.Fun.(*ast.SelectorExpr); is && called.Sel.Name == "Sample" {
					for i := 2; i < len(n.Args); i += 2 {
						names = append(names, "label "+stringOf(n.Args[i]))
					}
				}
			}
			return true
		})
	}, ".go")
	slices.Sort(names)
	names = slices.Compact(names)
	formattest.Golden(t, filepath.Join("testdata", "metrics.txt"), []byte(strings.Join(names, "\n")+"\n"))
}

// stringOf returns the value of a string literal, or nothing of another expression.
func stringOf(e ast.Expr) string {
	literal, is := e.(*ast.BasicLit)
	if !is || literal.Kind != token.STRING {
		return ""
	}
	value, err := strconv.Unquote(literal.Value)
	if err != nil {
		return ""
	}
	return value
}
