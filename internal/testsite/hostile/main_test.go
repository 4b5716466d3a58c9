package hostile

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	// The program is built again when its code changes, not taken from the test cache.
	_ "github.com/mapatools/mapa/internal/cli"
)

// tortureVariable selects the long form: full sizes and all rows. `make torture` sets it.
const tortureVariable = "MAPA_TORTURE"

func isTorture() bool { return os.Getenv(tortureVariable) != "" }

// atOnce is how many programs run at the same time. Most of them wait for their server.
const atOnce = "8"

// folder holds the program for the whole test.
var folder string

func TestMain(m *testing.M) {
	flag.Parse()
	if err := setUp(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

func setUp() error {
	isSet := false
	flag.Visit(func(f *flag.Flag) { isSet = isSet || f.Name == "test.parallel" })
	if !isSet {
		if err := flag.Set("test.parallel", atOnce); err != nil {
			return err
		}
	}
	var err error
	folder, err = os.MkdirTemp("", "hostile")
	return err
}

// program builds the program once, without the race detector, which would multiply
// its memory.
var program = sync.OnceValues(func() (string, error) {
	name := filepath.Join(folder, "mapa")
	output, err := exec.Command("go", "build", "-race=false", "-o", name,
		"github.com/mapatools/mapa/cmd/mapa").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, output)
	}
	return name, nil
})
