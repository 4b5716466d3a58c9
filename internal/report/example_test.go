package report_test

import (
	"fmt"
	"os"

	"github.com/mapatools/mapa/internal/report"
	"github.com/mapatools/mapa/lint"
)

func ExampleAnnotate() {
	err := report.Annotate(os.Stdout, &report.Result{
		Level: lint.SeverityError, Location: "public/a,b.xml", Line: 3, Column: 8, Message: "100% wrong",
	}, "a loc that is wrong", "Mend it.")
	if err != nil {
		fmt.Println(err)
	}
	// Output: ::error file=public/a%2Cb.xml,line=3,col=8,title=a loc that is wrong::100%25 wrong%0AMend it.
}

func ExamplePrintable() {
	fmt.Println(report.Printable("https://example.com/\x1b[2J\u202Egpj.exe"))
	// Output: https://example.com/\x1b[2J\u202egpj.exe
}
