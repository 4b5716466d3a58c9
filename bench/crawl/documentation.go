package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/mapatools/mapa/bench/measure"
)

// The pages of the documentation: most are small, and some, such as an index or a
// manual in one page, have megabytes.
const (
	documents     = 1500
	documentsOnce = "32" // requests in flight
)

// documentSize is about how many bytes document i has.
func documentSize(i int) int {
	r := random(i, forDocuments)
	switch {
	case i%50 == 7:
		return 1<<20 + r.IntN(3<<20)
	case i%10 == 3:
		return 200<<10 + r.IntN(600<<10)
	}
	return 8<<10 + r.IntN(64<<10)
}

// renderDocument appends document i to a buffer: definitions with anchors, each with
// a link to a definition of another document. The first links are those of a tree.
func renderDocument(page []byte, i int) []byte {
	r := random(i, forDocuments)
	size := documentSize(i)
	page = fmt.Appendf(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>%s %s, chapter %d</title>\n</head>\n<body>\n<ul>\n",
		word(r), word(r), i)
	for below := i*branches + 1; below <= i*branches+branches && below < documents; below++ {
		page = fmt.Appendf(page, "<li><a href=\"%s\">%s %s</a>\n", documentName(below), word(r), word(r))
	}
	page = append(page, "</ul>\n<dl>\n"...)
	for n := 0; len(page) < size; n++ {
		page = fmt.Appendf(page, "<dt id=\"entry-%d\"><a href=\"%s#entry-%d\">%s</a></dt>\n<dd>", n,
			documentName(r.IntN(documents)), r.IntN(20), word(r))
		page = append(appendProse(page, len(page)+100+r.IntN(400), r), "</dd>\n"...)
	}
	return append(page, "</dl>\n</body>\n</html>\n"...)
}

func documentName(i int) string {
	if i == 0 {
		return "index.html"
	}
	return fmt.Sprintf("chapter-%d.html", i)
}

func writeDocuments(folder string) (bytes int, err error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return 0, err
	}
	var page []byte
	for i := range documents {
		page = renderDocument(page[:0], i)
		if err := os.WriteFile(filepath.Join(folder, documentName(i)), page, 0o644); err != nil {
			return 0, err
		}
		bytes += len(page)
	}
	return bytes, nil
}

// documentation lets Mapa crawl the documentation and prints what that cost.
func (b *bench) documentation(ctx context.Context, w io.Writer) error {
	folder := filepath.Join(b.dir, "documentation")
	bytes, err := writeDocuments(folder)
	if err != nil {
		return err
	}
	program, err := crawlers[0].program(ctx, b.dir)
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "mapa crawls documentation")
	served := &site{base: b.site.base, port: b.site.port}
	n, err := served.serve(folder, filepath.Join(b.dir, "nginx-documentation"))
	if err != nil {
		return err
	}
	const name = "documentation"
	spent, err := measure.Run(ctx, b.results(name), b.messages(name), program, "crawl", served.base+"/",
		"-o", b.output(name), "--concurrency", documentsOnce, "--rate", "0", "--format", "json")
	if err := errors.Join(err, n.stop()); err != nil {
		return err
	}
	fmt.Fprintf(w, "\nDocumentation of %d pages, %.0f MB, the largest of 4 MB, with %s requests at once:\n\n",
		documents, float64(bytes)/1e6, documentsOnce)
	measure.PrintTable(w, [][]string{
		{"", "CPU s", "wall s", "peak MB", "exit"},
		{"mapa", fmt.Sprintf("%.2f", spent.CPU.Seconds()), fmt.Sprintf("%.1f", spent.Wall.Round(time.Millisecond).Seconds()),
			fmt.Sprintf("%.1f", float64(spent.Memory)/1e6), fmt.Sprint(spent.Exit)},
	})
	return nil
}
