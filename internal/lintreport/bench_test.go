package lintreport_test

import (
	"io"
	"testing"
	"time"

	"github.com/mapatools/mapa/internal/lintreport"
	"github.com/mapatools/mapa/lint"
)

// BenchmarkLint writes a finding in every format.
func BenchmarkLint(b *testing.B) {
	f := findings()[0]
	for format := range formats {
		b.Run(format, func(b *testing.B) {
			w, err := lintreport.New(format, io.Discard,
				&lintreport.Options{Rules: rules, FailOn: lint.SeverityError, Now: time.Now()})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := w.Write(&f); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
