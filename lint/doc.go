// Package lint finds what is wrong with sitemaps, and says where, why it matters
// and how to fix it.
//
// [New] returns a linter, and [Linter.Check] yields what it finds in files, sets
// of files and whole sites, one [Finding] after another, in constant memory.
// [Rules] lists what can be found. Each [Rule] has an ID that never changes, the
// document that it follows, and a bad and a good example, which are its tests.
//
// Package linttest checks sitemaps in the tests of the program that writes them.
package lint
