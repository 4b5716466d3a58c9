// Package lint finds what is wrong with sitemaps and says where, why it matters
// and what to do.
//
// [New] makes a linter and [Linter.Check] yields what it finds in files, sets
// and whole sites, one [Finding] after another, in constant memory. What can be
// found are the [Rules]; each is a unit with an ID that stays, the text it
// stands on, and a bad and a good example that are its tests.
package lint
