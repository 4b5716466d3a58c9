package result

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/mapatools/mapa/internal/page"
)

// A Choice is a value of a filter, and the number of URLs that it selects.
type Choice struct {
	Value string `json:"value"`
	Count int    `json:"count"`
}

// maxChoices is the number of values that a filter offers.
const maxChoices = 30

// choices finds the values that a filter offers.
func (b *builder) choices(f *page.Fact) ([]Choice, error) {
	var q page.Query
	if f.Among != "" {
		q.Where(f.Among)
	}
	values, err := b.file.CountValues(b.ctx, &q, f.Key)
	if err != nil {
		return nil, err
	}
	var choices []Choice
	bits := make([]int, len(f.Names))
	for _, v := range values {
		switch {
		case f.Kind == page.Set:
			for bit := range bits {
				if v.Number&(1<<bit) != 0 {
					bits[bit] += v.Count
				}
			}
		case v.Known && f.Number != nil:
			choices = append(choices, Choice{strconv.FormatInt(v.Number, 10), v.Count})
		case f.Number != nil:
			choices = slices.Insert(choices, 0, Choice{page.None, v.Count})
		case v.Text != "":
			choices = append(choices, Choice{v.Text, v.Count})
		}
	}
	for bit, count := range bits {
		if f.Kind == page.Set && count > 0 {
			choices = append(choices, Choice{f.Names[bit], count})
		}
	}
	return limitChoices(f, choices), nil
}

// limitChoices makes a range of the last numbers, and leaves out rare texts.
func limitChoices(f *page.Fact, choices []Choice) []Choice {
	switch {
	case len(choices) <= maxChoices || f.Kind == page.Code:
		return choices
	case f.Number == nil:
		slices.SortStableFunc(choices, func(a, b Choice) int { return cmp.Compare(b.Count, a.Count) })
		return choices[:maxChoices]
	}
	rest := choices[maxChoices-1:]
	last := Choice{Value: fmt.Sprint(rest[0].Value, "-", rest[len(rest)-1].Value)}
	for _, one := range rest {
		last.Count += one.Count
	}
	return append(choices[:maxChoices-1], last)
}
