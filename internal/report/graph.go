package report

import (
	"bufio"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
)

// WriteDOT writes the pages of the site and the links between them for Graphviz
// (https://graphviz.org/doc/info/lang.html). Several
// links from one page to another are one edge.
func WriteDOT(ctx context.Context, file crawl.Reader, w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	fmt.Fprintln(out, "digraph crawl {\n\trankdir=LR;\n\tnode [shape=box];")
	err := graph{
		node: func(n *node) {
			fmt.Fprintf(out, "\tn%d [label=%s decision=%s status=%d];\n", n.id, dotString(n.url), dotString(n.decision),
				n.status)
		},
		edge: func(from, to crawl.ID, kind string) {
			if kind == "" {
				fmt.Fprintf(out, "\tn%d -> n%d;\n", from, to)
				return
			}
			fmt.Fprintf(out, "\tn%d -> n%d [label=%s style=dashed];\n", from, to, dotString(kind))
		},
	}.read(ctx, file)
	if err != nil {
		return err
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// dotString quotes a text and escapes its backslashes.
func dotString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(format.Plain(text)) + `"`
}

const graphMLHead = xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="url" for="node" attr.name="url" attr.type="string"/>
<key id="title" for="node" attr.name="title" attr.type="string"/>
<key id="decision" for="node" attr.name="decision" attr.type="string"/>
<key id="status" for="node" attr.name="status" attr.type="int"/>
<key id="kind" for="edge" attr.name="kind" attr.type="string"/>
<graph id="crawl" edgedefault="directed">
`

// WriteGraphML writes the same graph as WriteDOT as GraphML
// (http://graphml.graphdrawing.org/specification.html).
func WriteGraphML(ctx context.Context, file crawl.Reader, w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	out.WriteString(graphMLHead)
	data := func(key, value string) {
		if value != "" {
			fmt.Fprintf(out, `<data key="%s">`, key)
			xml.EscapeText(out, []byte(format.Plain(value))) // Flush returns the error
			out.WriteString("</data>")
		}
	}
	err := graph{
		node: func(n *node) {
			fmt.Fprintf(out, `<node id="n%d">`, n.id)
			data("url", n.url)
			data("title", n.title)
			data("decision", n.decision)
			fmt.Fprintf(out, "<data key=\"status\">%d</data></node>\n", n.status)
		},
		edge: func(from, to crawl.ID, kind string) {
			fmt.Fprintf(out, `<edge source="n%d" target="n%d">`, from, to)
			data("kind", kind)
			out.WriteString("</edge>\n")
		},
	}.read(ctx, file)
	if err != nil {
		return err
	}
	out.WriteString("</graph>\n</graphml>\n")
	return out.Flush()
}

// node is a URL of the site.
type node struct {
	id                   crawl.ID
	url, title, decision string
	status               int
}

// graph receives all nodes, then all edges. The kind of an edge is empty for a link,
// else redirect, canonical or duplicate.
type graph struct {
	node func(*node)
	edge func(from, to crawl.ID, kind string)
}

func (g graph) read(ctx context.Context, file crawl.Reader) error {
	type targetEdge struct {
		from, to crawl.ID
		kind     string
	}
	var targets []targetEdge
	var site []bool // by ID: is a node
	for r, err := range file.Pages(ctx) {
		if err != nil {
			return err
		}
		for crawl.ID(len(site)) <= r.Link.ID {
			site = append(site, false)
		}
		if classOf(&r) == classOther {
			continue
		}
		site[r.Link.ID] = true
		g.node(&node{r.Link.ID, r.Link.URL, r.Page.Title, DecisionName(DecisionOf(&r)), r.Page.Status})
		if r.Page.Target > 0 {
			targets = append(targets, targetEdge{r.Link.ID, r.Page.Target, string(r.Page.Reason)})
		}
	}
	isNode := func(id crawl.ID) bool { return id > 0 && id < crawl.ID(len(site)) && site[id] }
	last := make([]crawl.ID, len(site)) // by ID: page of the last edge
	for e, err := range file.Edges(ctx) {
		if err != nil {
			return err
		}
		if isNode(e.From) && isNode(e.To) && last[e.To] != e.From && IsFollowable(e.Kind) {
			last[e.To] = e.From
			g.edge(e.From, e.To, "")
		}
	}
	for _, t := range targets {
		if isNode(t.to) {
			g.edge(t.from, t.to, t.kind)
		}
	}
	return nil
}
