package documents

import "testing"

// FuzzFill looks for texts that get another length: links would be at other places.
func FuzzFill(f *testing.F) {
	for _, source := range []string{
		`[a]({{< relref "b.md#c" >}}) [d]({% post_url 2020-01-01-e %})`, "[x]({{ \xff\xfe }})", "[x]({{<ref x>}})",
		`[a]({{ site.baseurl }}{% link b.md %}) <a href="{{ '/c' | relative_url }}">`,
		"[a]: {{ \"x\" | url }}/b",
		`<img src={require("./a.png").default} /> <img src={useBaseUrl('b')} /> <a href={"c"}>`,
		`<LinkCard title="x" href="/y" />`,
	} {
		f.Add(source)
	}
	fills := map[string]func([]byte) []byte{"targets": fillTargets, "files": fillFiles, "links": fillLinks}
	f.Fuzz(func(t *testing.T, source string) {
		for name, fill := range fills {
			if got := fill([]byte(source)); len(got) != len(source) {
				t.Errorf("%s: %q became %q", name, source, got)
			}
		}
	})
}
