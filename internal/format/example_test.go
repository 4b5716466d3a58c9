package format_test

import (
	"fmt"
	"os"

	"github.com/mapatools/mapa/internal/format"
)

func ExampleAnnotate() {
	err := format.Annotate(os.Stdout, &format.Result{
		Level: format.LevelError, Location: "public/a,b.xml", Line: 3, Column: 8, Message: "100% wrong",
	}, "a loc that is wrong", "Fix it.")
	if err != nil {
		fmt.Println(err)
	}
	// Output: ::error file=public/a%2Cb.xml,line=3,col=8,title=a loc that is wrong::100%25 wrong%0AFix it.
}

func ExamplePrintable() {
	fmt.Println(format.Printable("https://example.com/\x1b[2J\u202Egpj.exe"))
	// Output: https://example.com/\x1b[2J\u202egpj.exe
}
