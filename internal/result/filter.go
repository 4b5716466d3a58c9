package result

import "fmt"

// A Filter selects pages. Its fields are the parameters of a query as people and
// programs write them. The zero value selects all URLs of the crawl, in the order in
// which the crawl found them.
type Filter struct {
	Status string // an HTTP status such as "404", a class such as "4xx", or "none" without a response
	Reason string // "listed", "waiting" or the name of a crawl.Reason
	Type   string // a media type such as "text/html"
	Depth  string // links from the start, or "none" where no links lead
	Folder string // URL of a folder of the tree: what is in it and below it
	Text   string // a part of the URL or the title, in upper or lower case
	List   string // the name of one of Lists
	Group  string // the number of one group of the list
	Sort   string // "url", "depth", "linked", "time" or "size"; after "-" from the largest
}

// A FilterError says that a field of a [Filter] has a value that it cannot have.
type FilterError struct {
	Name  string // of the field, in lower case
	Value string
}

// Error names the field and the value.
func (e *FilterError) Error() string { return fmt.Sprintf("%s cannot be %q", e.Name, e.Value) }
