package lint

// counter counts the findings of each rule in one file and admits the first ones.
type counter struct {
	selection  *selection
	maxPerRule int // negative admits all
	counts     map[*Rule]int
}

func newCounter(s *selection, maxPerRule int) counter {
	return counter{s, maxPerRule, map[*Rule]int{}}
}

// admit counts a finding of a rule that is applied, and reports whether it is one
// of the first.
func (c *counter) admit(r *Rule) bool {
	if !c.selection.applies(r) {
		return false
	}
	c.counts[r]++
	return c.maxPerRule < 0 || c.counts[r] <= c.maxPerRule
}

// rest calls add with a finding for each rule some of whose findings were not admitted.
func (c *counter) rest(add func(Finding)) {
	if c.maxPerRule < 0 {
		return
	}
	for _, r := range allRules {
		if n := c.counts[r] - c.maxPerRule; n > 0 {
			add(more(r, n))
		}
	}
}

// more is the finding for so many places that are not reported one by one.
func more(r *Rule, n int) Finding {
	return Finding{Rule: r, Message: newText("finding.more", n), More: n}
}

// output delivers findings until one is refused.
type output struct {
	selection *selection
	deliver   func(*Finding) bool
	refused   bool
}

// add delivers a finding of a file.
func (o *output) add(file string, f Finding) {
	if !o.refused {
		o.selection.complete(&f, file)
		o.refused = !o.deliver(&f)
	}
}

// fileReporter delivers findings about one file after all files were read.
type fileReporter struct {
	counter
	file   string
	output *output
}

// add delivers a finding.
func (r *fileReporter) add(f Finding) { r.output.add(r.file, f) }

// end delivers the counts of the findings that were not admitted.
func (r *fileReporter) end() { r.rest(r.add) }
