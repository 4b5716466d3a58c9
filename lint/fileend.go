package lint

// A fileEnd is what rules see of a file whose entries have all been looked at.
type fileEnd struct {
	*fileCheck
	rule *Rule // the one that looks
}

// report yields a finding about the file as a whole.
func (e *fileEnd) report(message string) {
	if e.admit(e.rule) {
		e.add(Finding{Rule: e.rule, Message: message})
	}
}
