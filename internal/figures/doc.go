// Package figures keeps what others say about the pages of a site in one file next to its crawl: whether search engines
// have the pages in their index, what people search, and tables that a person joins. Begin with [Open] and [File.Read].
//
// It reads the exports of Google Search Console and Bing Webmaster Tools as they are downloaded, or as a spreadsheet
// saved them again, and any other table with a column of URLs. Nothing is requested from anywhere. What it reads is
// hostile: tables are read in constant memory, and archives are unpacked up to a limit.
package figures
