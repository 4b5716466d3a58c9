package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/format"
	"go/parser"
	"go/printer"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const module = "github.com/mapatools/mapa/"

// listed is a package as go list prints it.
type listed struct {
	Dir, ImportPath, Name              string
	GoFiles, TestGoFiles, XTestGoFiles []string
}

// packagePages returns a page for each public package of the module.
func packagePages(ctx context.Context) ([]page, error) {
	const fields = "-json=Dir,ImportPath,Name,GoFiles,TestGoFiles,XTestGoFiles"
	out, err := exec.CommandContext(ctx, "go", "list", fields, module+"...").Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var pages []page
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := decoder.Decode(&l); err == io.EOF {
			return pages, nil
		} else if err != nil {
			return nil, fmt.Errorf("read the output of go list: %w", err)
		}
		if l.Name == "main" || strings.Contains(l.ImportPath+"/", "/internal/") {
			continue
		}
		p, err := packagePage(l)
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", l.ImportPath, err)
		}
		pages = append(pages, p)
	}
}

// packagePage returns the page of a package.
func packagePage(l listed) (page, error) {
	fset := token.NewFileSet()
	var files []*ast.File
	for _, name := range slices.Concat(l.GoFiles, l.TestGoFiles, l.XTestGoFiles) {
		file, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.ParseComments)
		if err != nil {
			return page{}, err
		}
		files = append(files, file)
	}
	pkg, err := doc.NewFromFiles(fset, files, l.ImportPath)
	if err != nil {
		return page{}, err
	}
	name := strings.TrimPrefix(l.ImportPath, module)
	d := newDocument(fset, pkg)
	d.writePackage()
	return page{
		path:  "packages/" + name + ".md",
		front: map[string]any{"title": name, "description": pkg.Synopsis(pkg.Doc), "package": l.ImportPath},
		body:  d.text.String(),
	}, d.err
}

// document is the documentation of a package as Markdown. Its anchors are those of pkg.go.dev.
type document struct {
	fset     *token.FileSet
	pkg      *doc.Package
	comments *comment.Printer
	text     strings.Builder
	err      error // the first one
}

func newDocument(fset *token.FileSet, pkg *doc.Package) *document {
	comments := pkg.Printer()
	comments.HeadingLevel = 2
	comments.DocLinkURL = linkAddress
	return &document{fset: fset, pkg: pkg, comments: comments}
}

// linkAddress returns where a link of a doc comment leads: to the page of a package of this
// module, or to Go's own documentation.
func linkAddress(link *comment.DocLink) string {
	anchor := link.Name
	if link.Recv != "" {
		anchor = link.Recv + "." + link.Name
	}
	if anchor != "" {
		anchor = "#" + anchor
	}
	own, inside := strings.CutPrefix(link.ImportPath, module)
	switch {
	case link.ImportPath == "":
		return anchor
	case inside && !strings.Contains("/"+own+"/", "/internal/"):
		return "/packages/" + own + "/" + anchor
	}
	return "https://pkg.go.dev/" + link.ImportPath + anchor
}

func (d *document) writePackage() {
	fmt.Fprintf(&d.text, "# %s\n\n```go\nimport %q\n```\n\n", strings.TrimPrefix(d.pkg.ImportPath, module), d.pkg.ImportPath)
	d.writeComment(d.pkg.Doc)
	d.writeExamples(d.pkg.Examples)
	d.writeValues("Constants", d.pkg.Consts)
	d.writeValues("Variables", d.pkg.Vars)
	d.writeFunctions("##", d.pkg.Funcs)
	for _, t := range d.pkg.Types {
		fmt.Fprintf(&d.text, "## type %s {#%s}\n\n", t.Name, t.Name)
		d.writeAnchors(memberNames(t))
		d.writeCode(t.Decl)
		d.writeComment(t.Doc)
		d.writeExamples(t.Examples)
		d.writeValues("", slices.Concat(t.Consts, t.Vars))
		d.writeFunctions("###", t.Funcs)
		d.writeFunctions("###", t.Methods)
	}
}

// writeValues writes declarations of constants or variables, under a heading unless it is empty.
func (d *document) writeValues(heading string, values []*doc.Value) {
	if heading != "" && len(values) > 0 {
		fmt.Fprintf(&d.text, "## %s\n\n", heading)
	}
	for _, v := range values {
		d.writeAnchors(v.Names)
		d.writeCode(v.Decl)
		d.writeComment(v.Doc)
	}
}

// writeAnchors writes anchors for exported names that the code after them declares.
func (d *document) writeAnchors(names []string) {
	for _, name := range names {
		if token.IsExported(name[strings.LastIndex(name, ".")+1:]) {
			fmt.Fprintf(&d.text, "<span id=%q></span>", name)
		}
	}
	d.text.WriteString("\n\n")
}

// memberNames returns the fields of a struct, or the methods of an interface, after the name
// of the type and a period.
func memberNames(t *doc.Type) (names []string) {
	for _, spec := range t.Decl.Specs {
		var members *ast.FieldList
		switch declared := spec.(*ast.TypeSpec).Type.(type) {
		case *ast.StructType:
			members = declared.Fields
		case *ast.InterfaceType:
			members = declared.Methods
		default:
			continue
		}
		for _, member := range members.List {
			for _, name := range member.Names {
				names = append(names, t.Name+"."+name.Name)
			}
		}
	}
	return names
}

// writeFunctions writes functions or methods, each under a heading that begins with marks.
func (d *document) writeFunctions(marks string, functions []*doc.Func) {
	for _, f := range functions {
		name, anchor := f.Name, f.Name
		if f.Recv != "" {
			name, anchor = "("+f.Recv+") "+f.Name, strings.TrimLeft(f.Recv, "*")+"."+f.Name
		}
		fmt.Fprintf(&d.text, "%s func %s {#%s}\n\n", marks, strings.ReplaceAll(name, "*", `\*`), anchor)
		f.Decl.Body = nil
		d.writeCode(f.Decl)
		d.writeComment(f.Doc)
		d.writeExamples(f.Examples)
	}
}

func (d *document) writeComment(text string) {
	d.text.Write(d.comments.Markdown(d.pkg.Parser().Parse(text)))
	d.text.WriteString("\n")
}

func (d *document) writeExamples(examples []*doc.Example) {
	for _, e := range examples {
		title := "**Example**"
		if e.Suffix != "" {
			title = "**Example: " + e.Suffix + "**"
		}
		d.text.WriteString(title + "\n\n")
		d.writeComment(e.Doc)
		code := d.format(&printer.CommentedNode{Node: e.Code, Comments: e.Comments})
		if _, isBlock := e.Code.(*ast.BlockStmt); isBlock {
			code = blockBody(code)
		}
		d.writeFence("go", code)
		if e.Output != "" {
			d.text.WriteString("Output:\n\n")
			d.writeFence("text", e.Output)
		}
	}
}

// outputComment is the comment at the end of an example, which go test compares with its output.
var outputComment = regexp.MustCompile(`(?i)\n\s*// (unordered )?output:(?s:.*)$`)

// blockBody returns the statements of a block without its braces and the comment about the output.
func blockBody(block string) string {
	block = strings.TrimSuffix(strings.TrimPrefix(block, "{"), "}")
	block = outputComment.ReplaceAllString(block, "")
	return strings.ReplaceAll(strings.TrimSpace(block), "\n\t", "\n")
}

// writeCode writes a declaration, with exported names only.
func (d *document) writeCode(declaration ast.Decl) { d.writeFence("go", d.format(declaration)) }

func (d *document) writeFence(language, code string) {
	fmt.Fprintf(&d.text, "```%s\n%s\n```\n\n", language, strings.TrimRight(code, "\n"))
}

// format returns a node as gofmt writes it.
func (d *document) format(node any) string {
	var b strings.Builder
	if err := format.Node(&b, d.fset, node); err != nil && d.err == nil {
		d.err = err
	}
	return b.String()
}
