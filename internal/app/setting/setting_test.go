package setting

import (
	"reflect"
	"testing"
)

func TestSet(t *testing.T) {
	var text string
	var number int
	var list List
	var texts []string
	var numbers map[string]int
	for _, test := range []struct {
		value  any
		texts  []string
		isList bool
		want   any // nil is an error
	}{
		{&text, []string{"x"}, false, "x"},
		{&text, []string{"x"}, true, nil},
		{&number, []string{"0x10"}, false, 16},
		{&number, []string{"many"}, false, nil},
		{&list, []string{"a,b"}, false, List{"a", "b"}},
		{&list, []string{"a,b"}, true, List{"a,b"}},
		{&texts, []string{"a,b"}, false, []string{"a,b"}},
		{&numbers, []string{"a=1", "b=-1"}, true, map[string]int{"a": 1, "b": -1}},
		{&numbers, []string{"a"}, false, nil},
		{&numbers, []string{"a=x"}, false, nil},
	} {
		s := Setting{Value: test.value}
		err := s.Assign(test.texts, test.isList)
		got := reflect.ValueOf(test.value).Elem().Interface()
		if (err != nil) != (test.want == nil) || err == nil && !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q as %T: %v, %v", test.texts, test.value, got, err)
		}
	}
}
