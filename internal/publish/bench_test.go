package publish

import (
	"os"
	"testing"
)

func BenchmarkRun(b *testing.B) {
	for _, outputs := range [][]Output{{OutputXML}, {OutputText}, {OutputHTML}, {OutputRSS, OutputAtom}, AllOutputs()} {
		name := string(outputs[0])
		if len(outputs) > 2 {
			name = "all"
		}
		b.Run(name, func(b *testing.B) {
			dir, err := os.MkdirTemp("", "publish")
			if err != nil {
				b.Fatal(err)
			}
			defer os.RemoveAll(dir)
			pages := site(20_000)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Run(b.Context(), each(pages), &Options{Folder: dir, Home: home, Outputs: outputs}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(pages)), "ns/page")
		})
	}
}
