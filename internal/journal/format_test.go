package journal

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mapatools/mapa/crawl"
	"github.com/mapatools/mapa/internal/format/formattest"
	"github.com/mapatools/mapa/sitemap"
)

// TestFormat records what is stored of values in which every field is set. A change needs another
// recordVersion. UPDATE_GOLDEN=1 rewrites the file.
func TestFormat(t *testing.T) {
	var (
		header record
		commit crawl.Commit
		begin  crawl.Meta
		end    SiteEnd
	)
	header.nonce, header.after, header.site, header.part, header.parts = 1, 2, 3, 4, 5
	for _, value := range []any{&commit, &begin, &end} {
		fill(reflect.ValueOf(value).Elem(), "")
	}
	commit.Seeds[0].SeededBy = 17 // as recorded, whatever the name of the field
	body, err := encodeCommit(&commit)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{fmt.Sprintf("version %d", recordVersion)}
	for k := kindTakeover; k <= kindEnd; k++ {
		header.kind = k
		lines = append(lines, fmt.Sprintf("record %d %q", k, header.encode()))
	}
	lines = append(lines, fmt.Sprintf("commit %q", body), fmt.Sprintf("offer %q", encodeOffer([]string{"URL"})))
	for _, value := range []any{begin, end} {
		text, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	formattest.Golden(t, filepath.Join("testdata", "records.txt"), []byte(strings.Join(lines, "\n")+"\n"))
}

// notStored are fields that a commit stores elsewhere, or less precisely than fill sets them, and those that seeds do
// not have.
var notStored = []string{
	"Commit.Found.SeededBy", "Commit.Done.Duration", "Commit.Seeds.URL", "Commit.Seeds.From", "Commit.Seeds.Depth",
	"Commit.Seeds.Hops", "Commit.Seeds.Role", "Commit.Seeds.Reason", "Commit.Seeds.Detail", "Commit.Seeds.RequestedURL",
}

// TestStored checks that every field of a commit changes what is stored of it.
func TestStored(t *testing.T) {
	var commit crawl.Commit
	fill(reflect.ValueOf(&commit).Elem(), "")
	full, err := encodeCommit(&commit)
	if err != nil {
		t.Fatal(err)
	}
	var check func(v reflect.Value, name string)
	check = func(v reflect.Value, name string) {
		switch v.Kind() {
		case reflect.Pointer:
			check(v.Elem(), name)
			return
		case reflect.Slice:
			check(v.Index(0), name)
			return
		case reflect.Struct:
			for i := range v.NumField() {
				if field := v.Type().Field(i); field.IsExported() {
					check(v.Field(i), name+"."+field.Name)
				}
			}
		}
		before := reflect.ValueOf(v.Interface())
		v.SetZero()
		body, err := encodeCommit(&commit)
		if err == nil && bytes.Equal(body, full) && !slices.Contains(notStored, name) {
			t.Errorf("%s is not stored", name)
		}
		v.Set(before)
	}
	check(reflect.ValueOf(&commit).Elem(), "Commit")
}

// fill sets all fields of a value to what depends on their names alone.
func fill(v reflect.Value, name string) {
	number := 1
	for i := range len(name) {
		number = (number*31 + int(name[i])) % 100
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), name)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0), name)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), name)
		}
	case reflect.Struct:
		switch value := v.Addr().Interface().(type) {
		case *time.Time:
			*value = time.Unix(int64(number+1)*secondsOfDay, 0).UTC()
		case *sitemap.Date:
			*value, _ = sitemap.ParseDate("2026-03-04")
		default:
			for i := range v.NumField() {
				fill(v.Field(i), v.Type().Field(i).Name)
			}
		}
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString(name)
	case reflect.Float64:
		v.SetFloat(float64(number))
	default:
		v.Set(reflect.ValueOf(number + 1).Convert(v.Type()))
	}
}
