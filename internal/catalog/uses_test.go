package catalog_test

import (
	"fmt"
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
	stored     bool // a Text of package lint: every form has all arguments
	arguments  int
}

// anything is an argument for every verb.
type anything struct{}

// Format implements [fmt.Formatter].
func (anything) Format(f fmt.State, _ rune) { fmt.Fprint(f, "x") }

// show returns the text of a use as the program writes it, with as many arguments.
func (u *use) show(c *catalog.Catalog, form string) string {
	arguments := make([]any, u.arguments)
	for i := range arguments {
		arguments[i] = anything{}
	}
	if !u.plural {
		return c.Text(u.key+form, arguments...)
	}
	return c.Plural(u.key, map[string]int64{".one": 1, ".other": 2}[form], arguments...)
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
		if function, isFunction := call.Fun.(*ast.Ident); isFunction {
			if u, isUse := useInLint(function.Name, call.Args); isUse {
				u.place = name
				uses = append(uses, u)
			}
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
			uses = append(uses, use{place: name, key: text, arguments: len(call.Args) - 1})
		case strings.EqualFold(function.Sel.Name, "Plural") && len(call.Args) > 1:
			uses = append(uses, use{place: name, key: text, plural: true, arguments: len(call.Args) - 2})
		}
		return true
	})
	return uses
}

// textFunctions are the functions of package lint that take the key of a text: its position
// among their arguments, after which those of the text come, and how many they add.
var textFunctions = map[string]struct{ key, added int }{
	"newText": {}, "naming": {0, 1}, "reportLoc": {1, 0}, "reportDate": {1, 1}, "scopeCheck": {1, 2}, "addressOf": {1, 0},
}

// useInLint returns the use of a text in the call of a function of package lint.
func useInLint(function string, arguments []ast.Expr) (u use, is bool) {
	takes, is := textFunctions[function]
	if !is || len(arguments) <= takes.key {
		return u, false
	}
	key, isConstant := arguments[takes.key].(*ast.BasicLit)
	if !isConstant {
		return u, false
	}
	text, err := strconv.Unquote(key.Value)
	return use{key: text, stored: true, arguments: len(arguments) - takes.key - 1 + takes.added}, err == nil
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
				uses = append(uses, use{place: name, key: key.Text, arguments: len(node.Args) - 2})
			case function.Ident == "texts":
				uses = append(uses, use{place: name, key: key.Text, plural: true, arguments: len(node.Args) - 3})
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
	for _, folder := range []string{"../report", "../publish", "../view", "../web", "../cli", "../app", "../../lint"} {
		err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || d.IsDir() || strings.HasSuffix(name, "_test.go"):
			case filepath.Ext(name) == ".go":
				uses = append(uses, usesInGo(t, name)...)
			case filepath.Ext(name) == ".html", filepath.Ext(name) == ".tmpl":
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
			if _, single := texts[u.key]; u.plural || u.stored && !single {
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
				if got != want && (u.stored || form != ".one" || got != 0 || u.arguments > 0) {
					t.Errorf("%s: %s gives %s%s %d arguments, and its text has verbs for %d: %q",
						language, u.place, u.key, form, want, got, text)
				}
				if shown := u.show(catalog.For(language), form); strings.Contains(shown, "%!") {
					t.Errorf("%s: %s shows %q", language, u.place, shown)
				}
			}
		}
	}
	if checked < 900 {
		t.Errorf("only %d uses of texts are found", checked)
	}
}

// TestNext checks a form for one thing that has no number.
func TestNext(t *testing.T) {
	if got := catalog.For(catalog.English).Plural("web.live.queued", 1); got != "The crawl begins soon: it is next." {
		t.Error(got)
	}
}
