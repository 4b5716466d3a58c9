// Command bench compares the speed of Mapa's reading and writing with that of the
// standard library and other packages. It generates its input, the same on every
// run, runs base and candidate in turns on one core, checks that both found the
// same, and prints the measured ratio next to the one that Mapa promises:
//
//	cd bench && go run .
//
// Memory is measured in separate processes, which needs the /proc of Linux.
//
// With -base it compares commands of Mapa with those of another program instead, such as Mapa of an earlier commit:
//
//	cd bench && go run . -base /tmp/mapa-old
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"

	"github.com/mapatools/mapa/bench/measure"
)

// rows are the lines of the table, in its order.
var rows = []struct {
	name string
	run  func(*bench) error
}{
	{"read-plain", (*bench).readPlain},
	{"read-entities", (*bench).readEntities},
	{"read-heavy", (*bench).readHeavy},
	{"read-gzip", (*bench).readGzip},
	{"read-steady", (*bench).readSteady},
	{"format", (*bench).format},
	{"write-set", (*bench).writeSet},
	{"write-memory", (*bench).writeMemory},
	{"list", (*bench).list},
	{"lint", (*bench).lint},
	{"build", (*bench).build},
	{"watch", (*bench).watch},
}

func main() {
	measure.Serve()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	var b bench
	quick := flag.Bool("quick", false, "a tenth of every size: a smoke test, no measurement")
	only := flag.String("rows", "", "measure only the rows whose names match this `regexp`")
	folder := flag.String("dir", "", "the `folder` for inputs and outputs, about 3 GB; a temporary one when empty")
	child := flag.String("child", "", "run one `task` and report on it; the program starts itself this way")
	base := flag.String("base", "", "compare commands of Mapa with those of this `program` instead")
	flag.IntVar(&b.rounds, "rounds", 5, "how often base and candidate take turns")
	flag.StringVar(&b.profiles, "profiles", "", "write a CPU profile of every candidate to this `folder`")
	flag.Parse()
	b.size = fullSize
	if *quick {
		b.size = quickSize
	}
	if *child != "" {
		return runTask(*child, &b)
	}
	selected, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp(*folder, "mapa-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	if b.dir, err = filepath.Abs(b.dir); err != nil { // commands run in other folders
		return err
	}
	if *base != "" {
		return b.pairs(context.Background(), *base)
	}
	runtime.GOMAXPROCS(1)
	for _, row := range rows {
		if !selected.MatchString(row.name) {
			continue
		}
		if err := row.run(&b); err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
	}
	return b.table.print(os.Stdout)
}
