package setting

import (
	"slices"
	"strings"
	"testing"
)

func TestSet(t *testing.T) {
	var text, clean, depth string
	var number int
	var list, texts []string
	var numbers map[string]int
	for _, test := range []struct {
		value  Value
		texts  []string
		isList bool
		want   []string // nil is an error
	}{
		{String(&text), []string{"x"}, false, []string{"x"}},
		{String(&text), []string{"x"}, true, nil},
		{Switch(&clean), []string{"1"}, false, []string{"true"}},
		{Switch(&clean), []string{"false"}, false, []string{"false"}},
		{Switch(&clean), []string{"perhaps"}, false, nil},
		{Int(&number), []string{"0x10"}, false, []string{"16"}},
		{Int(&number), []string{"many"}, false, nil},
		{OptionalInt(&depth), []string{"0x0"}, false, []string{"0"}},
		{OptionalInt(&depth), []string{""}, false, []string{""}},
		{OptionalInt(&depth), []string{"many"}, false, nil},
		{List(&list), []string{"a,b"}, false, []string{"a", "b"}},
		{List(&list), []string{"a,b"}, true, []string{"a,b"}},
		{Strings(&texts), []string{"a,b"}, false, []string{"a,b"}},
		{Ints(&numbers), []string{"a=1", "b=-1"}, true, []string{"a=1", "b=-1"}},
		{Ints(&numbers), []string{"a"}, false, nil},
		{Ints(&numbers), []string{"a=x"}, false, nil},
	} {
		err := test.value.Assign(test.texts, test.isList)
		if got := test.value.Texts(); (err != nil) != (test.want == nil) || err == nil && !slices.Equal(got, test.want) {
			t.Errorf("%q as %T: %v, %v", test.texts, test.value, got, err)
		}
	}
}

// TestFlags adds to a list what several flags say, and replaces the default by the first.
func TestFlags(t *testing.T) {
	texts, list, numbers := []string{"default"}, []string{"default"}, map[string]int{"default": 1}
	for _, test := range []struct {
		value Value
		want  []string
	}{
		{Strings(&texts), []string{"a=1,b=2", "b=3"}},
		{List(&list), []string{"a=1", "b=2", "b=3"}},
		{Ints(&numbers), []string{"a=1", "b=3"}},
	} {
		for _, text := range []string{"a=1,b=2", "b=3"} {
			if err := test.value.Set(text); err != nil {
				t.Fatal(err)
			}
		}
		if got := test.value.Texts(); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.value.Type(), got, test.want)
		}
	}
}

// TestEntries keeps a list of entries through texts, by which it goes to workers.
func TestEntries(t *testing.T) {
	type entry struct {
		name    string
		numbers []string
		on      bool
	}
	table := func(e *entry) []Setting {
		return []Setting{
			{Name: "name", Value: String(&e.name)}, {Name: "numbers", Value: List(&e.numbers)}, {Name: "on", Value: Bool(&e.on)},
		}
	}
	given := []entry{{"a,b", []string{"1", "2"}, true}, {}, {name: "c"}}
	var first, second, third []entry
	tables := func(p *[]entry) []Setting { return []Setting{{Name: "list", Value: Entries(p, table)}} }
	first = given
	encoded, err := EncodeSettings(tables(&first), tables(new([]entry)))
	if err != nil {
		t.Fatal(err)
	}
	if err := DecodeSettings(tables(&second), encoded); err != nil {
		t.Fatal(err)
	}
	Override(tables(&third), tables(&second), []string{"list"})
	same := func(a, b entry) bool { return a.name == b.name && a.on == b.on && slices.Equal(a.numbers, b.numbers) }
	if !slices.EqualFunc(second, given, same) || !slices.EqualFunc(third, given, same) {
		t.Errorf("%+v, %+v", second, third)
	}
	for _, wrong := range []string{"x", `{"unknown":["x"]}`, `{"on":["perhaps"]}`} {
		if err := Entries(&third, table).Assign([]string{"{}", wrong}, true); err == nil ||
			!strings.HasPrefix(err.Error(), "entry 2: ") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}
