package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/mapatools/mapa/internal/app"
	"github.com/mapatools/mapa/internal/app/cause"
	"github.com/mapatools/mapa/internal/catalog"
	"github.com/mapatools/mapa/internal/sqlite"
)

// TestExitCodes wants the exit codes of every command in its help.
func TestExitCodes(t *testing.T) {
	var check func(c *cobra.Command, name string)
	check = func(c *cobra.Command, name string) {
		if _, found := commandExits[name]; !found && c.Runnable() && !c.Hidden && c.Name() != "help" {
			t.Errorf("%s has no exit codes in commandExits", name)
		}
		for _, sub := range c.Commands() {
			check(sub, name+" "+sub.Name())
		}
	}
	for _, c := range newRoot(&app.App{}).Commands() {
		check(c, c.Name())
	}
}

// TestExitDocument compares the table of the documentation with the help, and the order of codes.
func TestExitDocument(t *testing.T) {
	document, err := os.ReadFile(filepath.Join("..", "..", "docs", "exit-codes.md"))
	if err != nil {
		t.Fatal(err)
	}
	var table strings.Builder
	for _, line := range exitMeanings {
		fmt.Fprintf(&table, "| %d | %s |\n", line.code, line.text)
	}
	if !strings.Contains(string(document), "|---|---|\n"+table.String()+"\n") {
		t.Errorf("docs/exit-codes.md lacks the table\n%s", &table)
	}
	order := strings.Trim(strings.ReplaceAll(fmt.Sprint(precedence), " ", ", "), "[]")
	if order = strings.TrimSuffix(order, ", 0"); !strings.Contains(string(document), "this order counts: "+order+".") {
		t.Errorf("docs/exit-codes.md lacks the order %s", order)
	}
}

// TestPrintErrorInOneLine prints an error and what followed from it.
func TestPrintErrorInOneLine(t *testing.T) {
	var text strings.Builder
	full := &sqlite.Error{Name: "crawl.sqlite", Kind: sqlite.KindCrawl, Err: sqlite.ErrFull}
	printError(&text, catalog.For(catalog.English), cause.KindUnreached, errors.Join(full, full))
	message, hint, _ := strings.Cut(text.String(), "\n")
	if message != "mapa: crawl.sqlite is on a full disk; crawl.sqlite is on a full disk" || !strings.HasPrefix(hint, "  ") || strings.Count(hint, "\n") != 1 {
		t.Errorf("%q", text.String())
	}
}
