package announce

import "iter"

// plan yields the requests of a job, as deliver would send them. An item that cannot be
// sent is an error, after which the iteration continues.
func (s *service) plan(j *job, request func(target string, items []Item) *call) iter.Seq2[Request, error] {
	return func(yield func(Request, error) bool) {
		if j.items == nil {
			return
		}
		b := newBatches(j.size)
		flush := func(target string) bool { return yield(s.shown(request(target, b.take(target))), nil) }
		for item, err := range j.items {
			if err != nil {
				yield(Request{}, err)
				return
			}
			item, target, e := s.route(j, item)
			if e != nil {
				if !yield(Request{}, e) {
					return
				}
				continue
			}
			if full, ok := b.add(target, item); ok && !flush(full) {
				return
			}
		}
		for _, target := range b.targets() {
			if !flush(target) {
				return
			}
		}
	}
}

// planWithQuotas yields the requests of a job. The first one for a target comes after the
// one that asks for its quota.
func (s *service) planWithQuotas(
	j *job, quota func(target string) *call, request func(target string, items []Item) *call,
) iter.Seq2[Request, error] {
	return func(yield func(Request, error) bool) {
		target, asked := "", map[string]bool{}
		requests := s.plan(j, func(to string, items []Item) *call {
			target = to
			return request(to, items)
		})
		for r, err := range requests {
			if err == nil && !asked[target] {
				asked[target] = true
				if !yield(s.shown(quota(target)), nil) {
					return
				}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

// plans yields the requests of several sequences, one after the other.
func plans(all ...iter.Seq2[Request, error]) iter.Seq2[Request, error] {
	return func(yield func(Request, error) bool) {
		for _, requests := range all {
			for r, err := range requests {
				if !yield(r, err) {
					return
				}
			}
		}
	}
}

// shownAll yields single requests.
func (s *service) shownAll(calls ...*call) iter.Seq2[Request, error] {
	return func(yield func(Request, error) bool) {
		for _, c := range calls {
			if !yield(s.shown(c), nil) {
				return
			}
		}
	}
}
