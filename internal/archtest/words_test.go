package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// bannedWords have a standard term that people search for instead. Only words
// without an ordinary meaning in this project are listed.
var bannedWords = map[string]string{
	"kin":       "URL pattern, group",
	"kins":      "URL patterns",
	"sheaf":     "batch",
	"reel":      "temporary file",
	"spool":     "temporary file, buffer",
	"spooled":   "buffered",
	"teller":    "reporter",
	"glancer":   "classifier",
	"trapper":   "trap detector",
	"territory": "scope",
	"gatherer":  "collector",
	"likeness":  "similarity",
	"census":    "counts",
	"mend":      "fix, repair",
	"mends":     "fixes",
	"mended":    "fixed",
	"mending":   "fixing",
	"beside":    "next to, besides",
	"departure": "violation",
	"tarry":     "wait",
	"oftener":   "more often",
	"thereof":   "of it",
	"wherein":   "in which",
	"hitherto":  "so far",
	"patient":   "wait, retry",
	"patiently": "retry",
	"patience":  "timeout",
	"courier":   "delivery",
	"weave":     "combine",
	"encounter": "find",
	"restless":  "changing",
	"told":      "reported, set",
	"anew":      "again, from the start",
	"lest":      "so that not",
}

// bannedPhrases are old-fashioned sentence forms.
var bannedPhrases = map[string]string{
	"what is typed":  "flags override",
	"otherwise than": "different from",
	"it is none":     "there is no",
	"that is none":   "not one, invalid",
	"sees that":      "makes sure",
	"be told":        "be reported",
	"is told":        "is called with, receives",
	"what is wanted": "name the thing",
	"what came of":   "the result of",
	"what comes of":  "the result of",
	"leading on to":  "redirects",
}

// banned returns what is wrong with a text, and the words to use instead.
func banned(text string) []string {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' })
	var found []string
	for _, w := range words {
		if instead, ok := bannedWords[w]; ok {
			found = append(found, w+": "+instead)
		}
	}
	plain := " " + strings.Join(words, " ") + " "
	for phrase, instead := range bannedPhrases {
		if strings.Contains(plain, " "+phrase+" ") {
			found = append(found, phrase+": "+instead)
		}
	}
	return found
}

// identifierWords splits an identifier at its capitals and underscores.
func identifierWords(name string) string {
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) || r == '_' {
			b.WriteByte(' ')
		}
		if r != '_' {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// walk calls f for every file of the repository outside testdata whose name
// ends in one of the given suffixes.
func walk(t *testing.T, f func(name, text string), suffixes ...string) {
	t.Helper()
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			switch {
			case rel == ".git", rel == ".programs", rel == "internal/archtest", rel == "site/public", rel == "site/generated",
				d.Name() == "testdata" && rel != "cmd/mapa/testdata":
				return filepath.SkipDir
			}
			return nil
		}
		if !slices.ContainsFunc(suffixes, func(suffix string) bool { return strings.HasSuffix(rel, suffix) }) {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		f(rel, string(text))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestWords keeps banned words out of identifiers, comments, string literals,
// templates and documents.
func TestWords(t *testing.T) {
	walk(t, func(name, text string) {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		report := func(at token.Pos, text string) {
			for _, problem := range banned(text) {
				t.Errorf("%s: %s", set.Position(at), problem)
			}
		}
		for _, group := range file.Comments {
			report(group.Pos(), group.Text())
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if n.Kind == token.STRING {
					report(n.Pos(), n.Value)
				}
			case *ast.Ident:
				report(n.Pos(), identifierWords(n.Name))
			}
			return true
		})
	}, ".go")
	walk(t, func(name, text string) {
		for i, line := range strings.Split(text, "\n") {
			for _, problem := range banned(line) {
				t.Errorf("%s:%d: %s", name, i+1, problem)
			}
		}
	}, ".md", ".html", ".tmpl", ".css", ".js", ".yaml", ".yml", ".txtar", "Makefile")
}

func TestBanned(t *testing.T) {
	for text, want := range map[string]int{
		"Kin of a trap":                 1,
		"video:family_friendly, a kind": 0,
		"what is\n typed goes first":    1,
		"mendable":                      0,
		identifierWords("trapKin"):      1,
	} {
		if got := banned(text); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
}

const longestLine = 120

// TestLineLength keeps lines readable. A line that is long because of one string
// literal or one URL cannot be broken and is exempt.
func TestLineLength(t *testing.T) {
	literal := regexp.MustCompile("`[^`]*`|" + `"(?:[^"\\]|\\.)*"|https?://\S+`)
	walk(t, func(name, text string) {
		raw := false
		for i, line := range strings.Split(text, "\n") {
			inside := raw
			if strings.Count(line, "`")%2 == 1 {
				raw = !raw
			}
			if inside || raw || utf8.RuneCountInString(line) <= longestLine {
				continue
			}
			longest := ""
			for _, match := range literal.FindAllString(line, -1) {
				if len(match) > len(longest) {
					longest = match
				}
			}
			if utf8.RuneCountInString(line)-utf8.RuneCountInString(longest) > 90 {
				t.Errorf("%s:%d has %d characters, more than %d", name, i+1, utf8.RuneCountInString(line), longestLine)
			}
		}
	}, ".go")
}

// TestDocumented wants a doc comment for every exported name, of internal
// packages too.
func TestDocumented(t *testing.T) {
	walk(t, func(name, text string) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			for _, bare := range undocumented(declared) {
				t.Errorf("%s: %s is not documented", set.Position(bare.Pos()), bare.Name)
			}
		}
	}, ".go")
}

// undocumented returns the exported names that a declaration leaves without a
// comment. A comment on a group of constants or variables covers all of it.
func undocumented(declared ast.Decl) []*ast.Ident {
	switch d := declared.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
			return []*ast.Ident{d.Name}
		}
	case *ast.GenDecl:
		var bare []*ast.Ident
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
					bare = append(bare, s.Name)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
						bare = append(bare, name)
					}
				}
			}
		}
		return bare
	}
	return nil
}

func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	base := d.Recv.List[0].Type
	for {
		switch of := base.(type) {
		case *ast.StarExpr:
			base = of.X
		case *ast.IndexExpr:
			base = of.X
		case *ast.IndexListExpr:
			base = of.X
		case *ast.Ident:
			return of.IsExported()
		default:
			return false
		}
	}
}
