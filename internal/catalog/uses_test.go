package catalog_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"text/template/parse"

	"github.com/mapatools/mapa/internal/catalog"
)

// use is a place that shows a text: its key, and the number of its arguments without the
// number of things that chooses the form of a plural.
type use struct {
	place, key string
	plural     bool
	arguments  int
}

// usesInGo returns the uses of texts in a Go file, as far as the key is a constant.
func usesInGo(t *testing.T, name string) (uses []use) {
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		call, isCall := node.(*ast.CallExpr)
		if !isCall || len(call.Args) == 0 || call.Ellipsis.IsValid() {
			return true
		}
		function, isMethod := call.Fun.(*ast.SelectorExpr)
		key, isConstant := call.Args[0].(*ast.BasicLit)
		if !isMethod || !isConstant || key.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(key.Value)
		switch {
		case err != nil:
			t.Fatal(err)
		case function.Sel.Name == "Text":
			uses = append(uses, use{name, text, false, len(call.Args) - 1})
		case strings.EqualFold(function.Sel.Name, "Plural") && len(call.Args) > 1:
			uses = append(uses, use{name, text, true, len(call.Args) - 2})
		}
		return true
	})
	return uses
}

// usesInTemplate returns the uses of texts in a template, as far as the key is a constant.
func usesInTemplate(t *testing.T, name string) (uses []use) {
	content, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	root := parse.New(name)
	root.Mode = parse.SkipFuncCheck
	trees := map[string]*parse.Tree{}
	if _, err := root.Parse(string(content), "", "", trees); err != nil {
		t.Fatal(err)
	}
	var walk func(node parse.Node)
	walkList := func(list *parse.ListNode) {
		if list != nil {
			for _, node := range list.Nodes {
				walk(node)
			}
		}
	}
	walkBranch := func(b *parse.BranchNode) {
		walk(b.Pipe)
		walkList(b.List)
		walkList(b.ElseList)
	}
	walk = func(node parse.Node) {
		switch node := node.(type) {
		case *parse.ListNode:
			walkList(node)
		case *parse.ActionNode:
			walk(node.Pipe)
		case *parse.TemplateNode:
			if node.Pipe != nil {
				walk(node.Pipe)
			}
		case *parse.IfNode:
			walkBranch(&node.BranchNode)
		case *parse.RangeNode:
			walkBranch(&node.BranchNode)
		case *parse.WithNode:
			walkBranch(&node.BranchNode)
		case *parse.PipeNode:
			for _, command := range node.Cmds {
				walk(command)
			}
		case *parse.CommandNode:
			for _, argument := range node.Args {
				walk(argument)
			}
			if len(node.Args) < 2 {
				return
			}
			function, isFunction := node.Args[0].(*parse.IdentifierNode)
			key, isConstant := node.Args[1].(*parse.StringNode)
			switch {
			case !isFunction || !isConstant:
			case function.Ident == "text":
				uses = append(uses, use{name, key.Text, false, len(node.Args) - 2})
			case function.Ident == "texts":
				uses = append(uses, use{name, key.Text, true, len(node.Args) - 3})
			}
		}
	}
	for _, tree := range trees {
		walk(tree.Root)
	}
	return uses
}

// TestArguments renders every text whose key is a constant with as many arguments as the
// code gives it, in every form of a plural and in every language. A form for one thing may
// leave out the number.
func TestArguments(t *testing.T) {
	var uses []use
	for _, folder := range []string{"../report", "../web", "../app"} {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go"):
			case filepath.Ext(name) == ".go":
				uses = append(uses, usesInGo(t, name)...)
			case filepath.Ext(name) == ".html":
				uses = append(uses, usesInTemplate(t, name)...)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	verb := regexp.MustCompile(`%[sd]`)
	ofScript := map[string]bool{"web.live.said": true, "web.live.per-second": true} // a script fills them in
	checked := 0
	for _, language := range catalog.Languages() {
		texts := catalog.For(language).WithPrefix("")
		for _, u := range uses {
			forms := []string{""}
			if u.plural {
				forms = []string{".one", ".other"}
			}
			for _, form := range forms {
				text, known := texts[u.key+form]
				if !known || ofScript[u.key] && u.arguments == 0 { // TestMissing names what is missing
					continue
				}
				checked++
				got, want := len(verb.FindAllString(text, -1)), u.arguments
				if u.plural {
					want++
				}
				if got != want && (form != ".one" || got != 0 || u.arguments > 0) {
					t.Errorf("%s: %s gives %s%s %d arguments, and its text has verbs for %d: %q",
						language, u.place, u.key, form, want, got, text)
				}
			}
		}
	}
	if checked < 500 {
		t.Errorf("only %d uses of texts are found", checked)
	}
}

// TestNext checks a form for one thing that has no number.
func TestNext(t *testing.T) {
	if got := catalog.For(catalog.English).Plural("web.live.queued", 1); got != "The crawl begins soon: it is next." {
		t.Error(got)
	}
}
