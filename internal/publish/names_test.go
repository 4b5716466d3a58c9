package publish

import (
	"os"
	"testing"
)

// TestOutputNames writes every output alone. Its files must be known as such, or a later run
// would take them for somebody else's.
func TestOutputNames(t *testing.T) {
	for _, output := range AllOutputs() {
		dir := t.TempDir()
		mustRun(t, Options{Folder: dir, Outputs: []Output{output}}, site(1))
		files, err := os.ReadDir(dir)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, error %v", output, len(files), err)
		}
		for _, file := range files {
			if !IsOutput(file.Name(), []Output{output}) {
				t.Errorf("%s is not known as an output of %s", file.Name(), output)
			}
		}
	}
}
