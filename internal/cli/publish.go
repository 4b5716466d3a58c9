package cli

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatools/mapa/internal/publish"
	"github.com/mapatools/mapa/sitemap"
	"github.com/spf13/pflag"
)

// publishFlags say what is written about the pages, as it is typed.
type publishFlags struct {
	outputs, apart, sets           []string
	gzip                           bool
	news, newsLanguage             string
	priority, changeFreq           string
	priorityRules, changeFreqRules []string
	maxShrink                      int
}

func (f *publishFlags) register(s *pflag.FlagSet) {
	s.StringSliceVar(&f.outputs, "outputs", []string{"xml"}, "`KINDS` of files to write: xml, txt, html, rss, atom, ror")
	s.BoolVar(&f.gzip, "gzip", false, "compress the sitemap")
	s.StringArrayVar(&f.sets, "set", nil, "give pages that match a pattern sitemaps of their own: `NAME=PATTERN`")
	s.StringSliceVar(&f.apart, "apart", nil, "give `EXTENSIONS` sitemaps of their own: images, news, videos")
	s.StringVar(&f.news, "news", "", "`NAME` of the publication; without it no news is written")
	s.StringVar(&f.newsLanguage, "news-language", "", "language of articles that do not say theirs, such as en")
	s.StringVar(&f.priority, "priority", string(publish.NoPriority), "make priority from depth or links, or none")
	s.StringVar(&f.changeFreq, "changefreq", string(publish.NoChangeFreq), "make changefreq from history, or none")
	s.StringArrayVar(&f.priorityRules, "priority-rule", nil, "priority of pages that match a pattern: `PATTERN=0.8`")
	s.StringArrayVar(&f.changeFreqRules, "changefreq-rule", nil, "changefreq of pages that match a pattern: `PATTERN=daily`")
	s.IntVar(&f.maxShrink, "max-shrink", 30, "publish nothing when the sitemap loses more than this `PERCENT` of its pages or the home page; 100 publishes whatever comes")
}

// options translate the flags; what they say wrong is an error.
func (f *publishFlags) options() (o publish.Options, err error) {
	o = publish.Options{
		Gzip:      f.gzip,
		News:      publish.Publication{Name: f.news, Language: f.newsLanguage},
		Weights:   publish.Weights{Priority: publish.PriorityBy(f.priority), ChangeFreq: publish.ChangeFreqBy(f.changeFreq)},
		MaxShrink: f.maxShrink,
	}
	if f.maxShrink < 0 || f.maxShrink > 100 {
		return o, fmt.Errorf("--max-shrink is a percentage, not %d", f.maxShrink)
	}
	if !slices.Contains([]publish.PriorityBy{publish.NoPriority, publish.ByDepth, publish.ByLinks}, o.Weights.Priority) {
		return o, fmt.Errorf("--priority is depth, links or none, not %q", f.priority)
	}
	if !slices.Contains([]publish.ChangeFreqBy{publish.NoChangeFreq, publish.ByHistory}, o.Weights.ChangeFreq) {
		return o, fmt.Errorf("--changefreq is history or none, not %q", f.changeFreq)
	}
	for _, name := range f.outputs {
		if !slices.Contains(publish.AllOutputs(), publish.Output(name)) {
			return o, fmt.Errorf("--outputs are of xml, txt, html, rss, atom and ror, not %q", name)
		}
		o.Outputs = append(o.Outputs, publish.Output(name))
	}
	if o.Apart, err = f.extensionsApart(); err != nil {
		return o, err
	}
	return o, f.rules(&o)
}

func (f *publishFlags) extensionsApart() (apart publish.Apart, err error) {
	for _, name := range f.apart {
		switch name {
		case "images":
			apart.Images = true
		case "news":
			apart.News = true
		case "videos":
			apart.Videos = true
		default:
			return apart, fmt.Errorf("--apart is of images, news and videos, not %q", name)
		}
	}
	return apart, nil
}

func (f *publishFlags) rules(o *publish.Options) error {
	for _, text := range f.sets {
		name, pattern, found := strings.Cut(text, "=")
		if !found || name == "" {
			return fmt.Errorf("--set is NAME=PATTERN, not %q", text)
		}
		compiled, err := regexp.Compile(pattern)
		if err == nil {
			err = publish.CheckSetName(name)
		}
		if err != nil {
			return fmt.Errorf("--set: %w", err)
		}
		o.Sets = append(o.Sets, publish.Rule[string]{Pattern: compiled, Value: name})
	}
	var err error
	if o.Weights.PriorityRules, err = rules("priority-rule", f.priorityRules, func(text string) (sitemap.Priority, error) {
		value, err := strconv.ParseFloat(text, 64)
		if err != nil || !(value >= 0 && value <= 1) {
			return sitemap.Priority{}, fmt.Errorf("%q is no number from 0 to 1", text)
		}
		return sitemap.PriorityOf(value), nil
	}); err != nil {
		return err
	}
	o.Weights.ChangeFreqRules, err = rules("changefreq-rule", f.changeFreqRules, func(text string) (sitemap.ChangeFreq, error) {
		if value := sitemap.ChangeFreq(text); value.Valid() {
			return value, nil
		}
		return "", fmt.Errorf("%q is not one of always, hourly, daily, weekly, monthly, yearly, never", text)
	})
	return err
}

// rules reads rules of the form PATTERN=VALUE. A pattern may hold the sign itself.
func rules[T any](flag string, texts []string, value func(string) (T, error)) (read publish.Rules[T], err error) {
	for _, text := range texts {
		at := strings.LastIndexByte(text, '=')
		if at < 0 {
			return nil, fmt.Errorf("--%s is PATTERN=VALUE, not %q", flag, text)
		}
		rule := publish.Rule[T]{}
		if rule.Pattern, err = regexp.Compile(text[:at]); err == nil {
			rule.Value, err = value(text[at+1:])
		}
		if err != nil {
			return nil, fmt.Errorf("--%s: %w", flag, err)
		}
		read = append(read, rule)
	}
	return read, nil
}
