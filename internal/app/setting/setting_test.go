package setting

import (
	"slices"
	"testing"
)

func TestSet(t *testing.T) {
	var text, clean string
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
