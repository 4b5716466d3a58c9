// Package announce tells search engines about sitemaps and changed URLs, through the
// interfaces that work today: Google Search Console, Bing Webmaster Tools, IndexNow,
// Yandex Webmaster, Baidu, WebSub, and the Sitemap line of robots.txt.
//
// [NewGoogle], [NewBing], [NewIndexNow], [NewYandex], [NewBaidu] and [NewWebSub] each
// return an [Announcer]. Its Announce method sends an [Announcement]: a sitemap, changed
// URLs or feeds, whatever the provider takes. Its Plan method returns the same requests
// without sending them. [CheckRobots] checks robots.txt.
//
// A [Ledger] records what is sent before it is sent, so that nothing is sent twice
// unnoticed, cooldowns hold, and quotas last. [NewMemoryLedger] keeps it in memory.
//
// A positive answer means that the provider received the announcement. It does not mean
// that it will read or index anything.
//
// Secrets are replaced by *** in every [Request], [Error] and [Result]. Redirects of
// providers are never followed, so that no other host receives a secret.
package announce
