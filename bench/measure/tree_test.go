package measure

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	Serve()
	os.Exit(m.Run())
}

// TestRunTree measures a shell that ends before the one that it has started.
func TestRunTree(t *testing.T) {
	output := filepath.Join(t.TempDir(), "out")
	const busy = `(i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo done) & exit 3`
	cost, err := RunTree(t.Context(), output, output+".err", "sh", "-c", busy)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(output); err != nil || string(text) != "done\n" {
		t.Errorf("the output is %q, %v", text, err)
	}
	if cost.Exit != 3 || cost.CPU < 20*time.Millisecond {
		t.Errorf("%+v: want exit code 3, and the CPU time of the second shell", cost)
	}
}

func TestDescendants(t *testing.T) {
	shell := exec.Command("sh", "-c", "cat; exit")
	input, err := shell.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	output, err := shell.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(input, "cat runs")
	if _, err := bufio.NewReader(output).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if all := descendants(shell.Process.Pid); len(all) != 1 || proportionalSize(all[0]) <= 0 {
		t.Errorf("the descendants of the shell are %v, want one that has memory", all)
	}
	input.Close()
	if err := shell.Wait(); err != nil {
		t.Fatal(err)
	}
}
