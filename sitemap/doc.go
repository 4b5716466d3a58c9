// Package sitemap reads and writes sitemaps as sitemaps.org and the search
// engines define them: XML url sets and indexes with Google's extensions, text
// files, RSS 2.0 and Atom feeds.
//
// Two things come first. [NewReader] takes any io.Reader, finds out by itself
// what it was given, and yields one re-used [Entry] after another in constant
// memory:
//
//	for entry, err := range sitemap.NewReader(file, nil).Entries() {
//		if err != nil {
//			return err
//		}
//		fmt.Printf("%s\n", entry.Loc)
//	}
//
// [NewFolder] takes one [URL] after another and writes a set of files that
// respects the protocol's limits, with an index when one file is too small:
//
//	folder, err := sitemap.NewFolder("public", &sitemap.SetOptions{BaseURL: "https://example.com/"})
//	...
//	err = folder.Write(&sitemap.URL{Loc: "https://example.com/"})
//	...
//	err = folder.Close()
//
// [NewWriter] writes a single file to any io.Writer.
//
// The package knows no network; it opens only the folder it is given.
package sitemap
