package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// goFolders are the Go files of each folder of the module.
type goFolders map[string][]*ast.File

func parseFolders(t *testing.T) (goFolders, *token.FileSet) {
	t.Helper()
	folders, set := goFolders{}, token.NewFileSet()
	walk(t, func(name, text string) {
		file, err := parser.ParseFile(set, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if folder := path.Dir(name); !strings.HasPrefix(name, "bench/") {
			folders[folder] = append(folders[folder], file)
		}
	}, ".go")
	return folders, set
}

// declared returns the names that files declare, such as Reader, Reader.Next and ReaderOptions.Dialect.
func declared(files []*ast.File) map[string]bool {
	names := map[string]bool{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				names[receiver(n)+n.Name.Name] = true
				return false
			case *ast.ValueSpec:
				for _, name := range n.Names {
					names[name.Name] = true
				}
			case *ast.TypeSpec:
				names[n.Name.Name] = true
				for _, member := range members(n.Type) {
					for _, name := range member.Names {
						names[n.Name.Name+"."+name.Name] = true
					}
				}
			}
			return true
		})
	}
	return names
}

// receiver returns the type of a method with a dot after it.
func receiver(f *ast.FuncDecl) (name string) {
	if f.Recv == nil {
		return ""
	}
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if one, ok := n.(*ast.Ident); ok && name == "" {
			name = one.Name + "."
		}
		return name == ""
	})
	return name
}

// members returns the fields of a struct, or the methods of an interface.
func members(of ast.Expr) []*ast.Field {
	switch of := of.(type) {
	case *ast.StructType:
		return of.Fields.List
	case *ast.InterfaceType:
		return of.Methods.List
	}
	return nil
}

// docLink matches [Name], [Name.Member] and [pkg.Name], which go doc links.
var docLink = regexp.MustCompile(`(?:^|[\s("])\[\*?(?:([a-z][a-z0-9]*)\.)?([A-Z]\w*(?:\.[A-Z]\w*)?)\]`)

// TestDocLinks keeps comments from linking to names that no package of the module has. Names of other modules
// are not looked up.
func TestDocLinks(t *testing.T) {
	folders, set := parseFolders(t)
	named := map[string]map[string]bool{} // what all packages of one name declare
	for folder, files := range folders {
		name := path.Base(folder)
		if named[name] == nil {
			named[name] = map[string]bool{}
		}
		maps.Copy(named[name], declared(files))
	}
	for _, files := range folders {
		own := declared(files)
		for _, file := range files {
			packages := maps.Clone(named)
			for _, spec := range file.Imports {
				if spec.Name != nil {
					packages[spec.Name.Name] = named[path.Base(strings.Trim(spec.Path.Value, `"`))]
				}
			}
			for _, group := range file.Comments {
				for _, link := range docLink.FindAllStringSubmatch(group.Text(), -1) {
					names := packages[link[1]]
					if link[1] == "" {
						names = own
					}
					if names != nil && !names[link[2]] {
						t.Errorf("%s: no package has %s", set.Position(group.Pos()), strings.TrimSpace(link[0]))
					}
				}
			}
		}
	}
}

// TestCommentNames keeps comments of functions, types and exported values beginning with their names.
func TestCommentNames(t *testing.T) {
	folders, set := parseFolders(t)
	check := func(name string, comment *ast.CommentGroup) {
		words := strings.Fields(comment.Text())
		if len(words) == 0 || strings.HasPrefix(name, "Example") {
			return
		}
		if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) {
			words = words[1:]
		}
		if strings.TrimRight(words[0], ",.:;") != name {
			t.Errorf("%s: the comment of %s begins with %q", set.Position(comment.Pos()), name, words[0])
		}
	}
	for _, files := range folders {
		for _, file := range files {
			for _, one := range file.Decls {
				switch one := one.(type) {
				case *ast.FuncDecl:
					check(one.Name.Name, one.Doc)
				case *ast.GenDecl:
					if one.Lparen.IsValid() || one.Tok == token.IMPORT {
						continue
					}
					switch spec := one.Specs[0].(type) {
					case *ast.TypeSpec:
						check(spec.Name.Name, one.Doc)
					case *ast.ValueSpec:
						if spec.Names[0].IsExported() {
							check(spec.Names[0].Name, one.Doc)
						}
					}
				}
			}
		}
	}
}
