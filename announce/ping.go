package announce

// PingText answers those who look for the pings of sitemaps, which no engine takes any
// more (https://developers.google.com/search/blog/2023/06/sitemaps-lastmod-ping,
// https://blogs.bing.com/webmaster/may-2022/Spring-cleaning-Removed-Bing-anonymous-sitemap-submission).
const PingText = "sitemap pings are gone: Google's answers 404 since the end of 2023, and Bing's 410 since December 2021; " +
	"a Sitemap line in robots.txt, Search Console and IndexNow replace them"
