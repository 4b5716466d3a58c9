package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// replaceFile writes a file in one step: beside its place, and then into it, so
// that nobody reads half of it and what was there stays when it fails. What a
// crash leaves beside it the next run writes over.
func replaceFile(name string, write func(io.Writer) error) error {
	beside := name + ".new"
	file, err := os.Create(beside)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 64<<10)
	err = write(out)
	err = errors.Join(err, out.Flush())
	err = errors.Join(err, file.Sync(), file.Close())
	if err == nil {
		err = os.Rename(beside, name)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", name, err), os.Remove(beside))
	}
	return nil
}
