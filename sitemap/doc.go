// Package sitemap reads and writes sitemaps as sitemaps.org and the search
// engines define them: XML url sets and indexes with Google's extensions, text
// files, RSS 2.0 and Atom feeds.
//
// [NewReader] reads a file from any io.Reader in constant memory. It detects format,
// compression and charset, and yields one [Entry] after another:
//
//	for entry, err := range sitemap.NewReader(file).Entries() {
//		if err != nil {
//			return err
//		}
//		fmt.Printf("%s\n", entry.Loc)
//	}
//
// [NewFolder] writes one [URL] after another into a set of files within the
// protocol's limits, with an index when one file is too small:
//
//	folder, err := sitemap.NewFolder("public", &sitemap.SetOptions{BaseURL: "https://example.com/"})
//	...
//	err = folder.Write(&sitemap.URL{Loc: "https://example.com/"})
//	...
//	err = folder.Close()
//
// [NewWriter] writes a single file to any io.Writer, and [NewSetWriter] a set to
// files that the caller creates.
//
// Options are optional pointers: nil is the zero value, which follows sitemaps.org.
// The package does not use the network, and the only files it opens are those of a
// [Folder].
package sitemap
