// Crawls a site with Crawlee's PlaywrightCrawler and writes what it found, a line of JSON for each page:
// node crawlee.js URL FILE BROWSER idle|heading
//
// A page is ready when the network was idle for half a second, as for a site that nobody knows, or
// as soon as it has a heading, for one whose pages all have one.

import { createWriteStream } from "node:fs";
import { Configuration, PlaywrightCrawler } from "crawlee";
import { chromium } from "playwright-core";

const [url, file, executablePath, ready] = process.argv.slice(2);
const output = createWriteStream(file);

const crawler = new PlaywrightCrawler({
  headless: true,
  launchContext: { launcher: chromium, launchOptions: { executablePath, args: ["--no-sandbox"] } },
  async requestHandler({ request, page, enqueueLinks }) {
    if (ready === "idle") await page.waitForLoadState("networkidle");
    else await page.waitForSelector("h1");
    const found = await page.evaluate(() => ({
      page: location.href,
      title: document.title,
      canonical: document.querySelector("link[rel=canonical]")?.href,
      robots: document.querySelector("meta[name=robots]")?.content,
    }));
    output.write(JSON.stringify({ url: request.url, ...found }) + "\n");
    await enqueueLinks({ strategy: "same-origin" });
  },
}, new Configuration({ persistStorage: false }));

await crawler.run([url]);
output.end();
