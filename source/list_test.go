package source_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mapatools/mapa/source"
)

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// collect returns the URLs and the errors, without the paths of files.
func collect(found iter.Seq2[string, error]) (addresses []string, faults []string) {
	for address, err := range found {
		var fault *source.Error
		switch {
		case errors.As(err, &fault):
			faults = append(faults, fault.Err.Error())
		case err != nil:
			faults = append(faults, err.Error())
		default:
			addresses = append(addresses, address)
		}
	}
	return addresses, faults
}

func TestLists(t *testing.T) {
	tests := []struct {
		about, name, text string
		want, faults      []string
	}{
		{"nothing", "list.txt", "", nil, nil},
		{"text", "list.txt", "\ufeffhttps://a.example/x,y\r\n\n # mine\n  HTTPS://A.example:443/ä#part \nhttp://b.example",
			[]string{"https://a.example/x,y", "https://a.example/%C3%A4", "http://b.example/"}, nil},
		{"text with slips", "list", "a.example\nmailto:x@a.example\n/rooted\nhttps://a.example/\nhttp://[x/\n",
			[]string{"https://base.example/rooted", "https://a.example/"},
			[]string{"3 lines were skipped, the first is line 1: no URL in it"}},
		{"CSV with a header", "list.csv",
			"Title,URL,Link\n\"a, b\",https://a.example/1,https://no.example/\n\"two\nlines\",/2\n",
			[]string{"https://a.example/1", "https://base.example/2"}, nil},
		{"CSV by its header", "list", "\"loc\";\"lastmod\"\nhttps://a.example/;2026-01-01\nnone;2026\n",
			[]string{"https://a.example/"}, []string{"line 3 was skipped: no URL in it"}},
		{"CSV without a header", "list.csv", "1,https://a.example/1,https://no.example/\n2, https://a.example/2\n3\n",
			[]string{"https://a.example/1", "https://a.example/2"}, []string{"line 3 was skipped: no URL in it"}},
		{"CSV with other names", "list.tsv", "Top pages\tClicks\nhttps://a.example/1\t5\n", []string{"https://a.example/1"},
			nil},
		{"JSONL", "list.jsonl", `{"url":"https://a.example/1","loc":"https://no.example/"}` + "\n" + `{"loc":"/2"}` + "\n\n" +
			`["https://no.example/"]` + "\n" + `{"title":"x"}`, []string{"https://a.example/1", "https://base.example/2"},
			[]string{"2 lines were skipped, the first is line 4: not a JSON object"}},
		{"JSONL by its first line", "list", "\n" + ` {"url":"https://a.example/1"}`, []string{"https://a.example/1"}, nil},
		{"a line too long", "list.txt",
			strings.Repeat("x", 3<<20) + "\nhttps://a.example/\n" + "https://a.example/" + strings.Repeat("y", 9000),
			[]string{"https://a.example/"}, []string{"2 lines were skipped, the first is line 1: longer than 1 MiB"}},
		{"a quotation mark alone", "list.csv", "url\nhttps://a.example/\n\"" + strings.Repeat("x\n", 2<<20),
			[]string{"https://a.example/"}, []string{"2097152 lines were skipped, the first is line 3: " +
				"a quotation mark that is not closed, or not followed by a delimiter"}},
		{"gzip cut off", "list.gz", "\x1f\x8b\x08\x00", nil, []string{"unexpected EOF"}},
	}
	options := &source.LineOptions{Base: "https://base.example/folder/page"}
	for _, test := range tests {
		t.Run(test.about, func(t *testing.T) {
			found := source.Lists([]string{write(t, test.name, test.text)}, options)
			for range 2 { // it can be asked for again
				got, faults := collect(found)
				if !slices.Equal(got, test.want) || !slices.Equal(faults, test.faults) {
					t.Errorf("got %q and %q, want %q and %q", got, faults, test.want, test.faults)
				}
			}
		})
	}
}

func TestSeveralLists(t *testing.T) {
	packed := new(bytes.Buffer)
	zip := gzip.NewWriter(packed)
	io.WriteString(zip, "url\nhttps://a.example/packed\n")
	zip.Close()
	names := []string{
		filepath.Join(t.TempDir(), "none.txt"),
		write(t, "list.csv.gz", packed.String()),
		"-",
	}
	options := &source.LineOptions{Stdin: strings.NewReader("https://a.example/in\n/rooted\n")}
	got, faults := collect(source.Lists(names, options))
	if want := []string{"https://a.example/packed", "https://a.example/in"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(faults) != 2 || !strings.HasPrefix(faults[0], "there is no file ") ||
		!strings.HasPrefix(faults[1], "line 2 was skipped") {
		t.Errorf("faults %q", faults)
	}
	for address := range source.Lists(names[1:], options) {
		if address != got[0] {
			t.Errorf("got %q first", address)
		}
		break
	}
	if _, faults := collect(source.Lists(nil, &source.LineOptions{Base: "nowhere"})); len(faults) != 1 {
		t.Errorf("an invalid base: %q", faults)
	}
}

func ExampleLists() {
	list := strings.NewReader("https://example.com/\n/about\n")
	options := &source.LineOptions{Stdin: list, Base: "https://example.com/"}
	for address, err := range source.Lists([]string{"-"}, options) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(address)
	}
	// Output:
	// https://example.com/
	// https://example.com/about
}
