//go:build !unix

package cli

import "os"

// columns returns the width of a terminal, 0 when it is unknown.
func columns(*os.File) int { return 0 }
