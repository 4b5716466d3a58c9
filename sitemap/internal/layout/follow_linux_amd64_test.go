package layout

import (
	"strings"
	"syscall"
	"testing"
)

// TestFollowStaysInside puts parts of a record in front of memory that must not be
// touched.
func TestFollowStaysInside(t *testing.T) {
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	if err := syscall.Mprotect(memory[page:], syscall.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	pieces := layoutOf("<url><loc>", "</loc></url>")
	for _, letters := range []string{"a", "a&", "a</loc>"} {
		record := "<url><loc>https://www.example.com/" + strings.Repeat(letters, 40) + "</loc></url>"
		for length := range len(record) + 1 {
			b := memory[page-length : page]
			copy(b, record)
			var values [Fields]Span
			if end, _ := follow(b, pieces, &values); end > length {
				t.Fatalf("read %d of %d bytes", end, length)
			}
		}
	}
}
