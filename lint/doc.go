// Package lint finds what is wrong with sitemaps, and says where, why it matters
// and how to fix it.
//
// [New] returns a linter. [Linter.CheckReader] checks a sitemap in memory, and
// [Linter.Check] files, folders, sets of files and whole sites. Both yield one
// [Finding] after another, in constant memory. [Options] choose the rule sets of search
// engines and single rules, and can let rules request the site. A program that accepts
// what it knows compares the [Finding.Fingerprint].
//
// [Rules] lists what can be found in sitemaps. Each [Rule] has an ID that never changes, the
// document that it follows, and a bad and a good example, which test it. A [Text] of a
// rule or a finding prints itself in English, and [Text.In] words it in another language.
//
// [PageRules] lists what can be found in a crawl of a site. Their declarations are here, so
// that both kinds have the same texts, severities and documentation; a linter does not apply
// them.
//
// Package linttest checks sitemaps in the tests of the program that writes them.
package lint
