package lint

// A Group is a chapter of the rules.
type Group struct {
	Title string
	Rules []*Rule
}

// Groups returns every rule, in the order of the documentation.
func Groups() []Group {
	return []Group{{"Images", imageRules}}
}

// Rules returns the rules of all groups.
func Rules() (all []*Rule) {
	for _, g := range Groups() {
		all = append(all, g.Rules...)
	}
	return all
}
