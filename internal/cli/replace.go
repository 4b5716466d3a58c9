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
// crash leaves beside it the next run writes over. What is no file, such as
// /dev/stdout or a pipe, is handed to write as it is, for it may be a terminal.
func replaceFile(name string, write func(io.Writer) error) error {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return writeInto(name, write)
	}
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

func writeInto(name string, write func(io.Writer) error) error {
	file, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if err = errors.Join(write(file), file.Close()); err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}
