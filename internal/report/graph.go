package report

import (
	"bufio"
	"context"
	"encoding/xml"
	"fmt"
	"io"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format"
	"github.com/mapatools/mapa/internal/page"
)

const graphMLHead = xml.Header + `<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="url" for="node" attr.name="url" attr.type="string"/>
<key id="title" for="node" attr.name="title" attr.type="string"/>
<key id="decision" for="node" attr.name="decision" attr.type="string"/>
<key id="status" for="node" attr.name="status" attr.type="int"/>
<key id="kind" for="edge" attr.name="kind" attr.type="string"/>
<graph id="crawl" edgedefault="directed">
`

// WriteGraphML writes the pages of the site and the links between them as GraphML
// (http://graphml.graphdrawing.org/specification.html). Several links from one page to another
// are one edge.
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
		node: func(r *crawl.Record) {
			fmt.Fprintf(out, `<node id="n%d">`, r.Link.ID)
			data("url", r.Link.URL)
			data("title", r.Page.Title)
			data("decision", page.DecisionName(page.DecisionOf(r)))
			fmt.Fprintf(out, "<data key=\"status\">%d</data></node>\n", r.Page.Status)
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

// graph receives all nodes, then all edges. The kind of an edge is empty for a link,
// else redirect, canonical or duplicate.
type graph struct {
	node func(*crawl.Record)
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
		if !page.IsOnSite(&r) {
			continue
		}
		site[r.Link.ID] = true
		g.node(&r)
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
		if isNode(e.From) && isNode(e.To) && last[e.To] != e.From && page.IsFollowable(e.Kind) {
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
