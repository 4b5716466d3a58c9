// The data of the report. Texts of the crawled site are written as text nodes, never as
// HTML.

const data = JSON.parse(document.getElementById("data").textContent);

// say returns a text of the catalogue with its arguments.
const say = (key, ...values) => data.texts[key].replace(/%s/g, () => values.shift());

// numbered returns the texts of a column: 0 is the empty text, 1 the next text that did
// not occur before, any other number one more than that of a text that did.
const numbered = (numbers, joined) => {
	const lines = joined.split("\n");
	let next = 0;
	return numbers.map((n) => (n === 0 ? "" : n === 1 ? lines[next++] : lines[n - 2]));
};
const words = (name) => numbered(data[name], data[name + "Texts"]);

const addresses = () => {
	let before = "";
	if (!data.shared.length) return [];
	return data.urls.split("\n").map((rest, i) => (before = before.slice(0, data.shared[i]) + rest));
};

// The columns of the table of URLs. A row that another refers to is counted from 1, and
// 0 is none.
const url = addresses(), title = words("title"), detail = words("detail"), conflict = words("conflict");
const description = words("description"), heading = words("heading"), ogType = words("ogType"), jsonLD = words("jsonLD");
const rendered = words("rendered");
const media = words("media"), language = words("language"), etag = words("etag"), modified = words("modified");
const lastMod = words("lastMod"), lastModSource = words("lastModSource");
const { origin, reason, status, depth, linked, took, size, target, given, previous, time } = data;
const { titleLength, descriptionLength, wordCount, reused, hasFacts, images, openGraph, links } = data;
const count = url.length;
const reasons = data.reasons.map(([name, text, why, tone]) => ({ name, text, why, tone }));
const decision = (row) => reasons[reason[row]];
const isRedirect = (row) => /^redirect/.test(decision(row).name);

// Sources of a URL: 1 start, 2 sitemap, 4 list, 8 log.
const namers = [[2, say("named-sitemap")], [4, say("named-list")], [8, say("named-log")]];
const namedBy = (row) => namers.filter(([bit]) => given[row] & bit).map(([, name]) => name).join(", ");

const openGraphNames = ["title", "type", "image", "url", "description"];
const openGraphOf = (row) => openGraphNames.filter((_, i) => openGraph[row] & (1 << i))
	.map((name) => (name === "type" && ogType[row] ? "type (" + ogType[row] + ")" : name)).join(", ");

// readLinks returns the links between rows: from each page, to a URL, with a text.
let read = null;
const readLinks = () => {
	if (read) return read;
	const lines = data.linkTexts.split("\n"), numbers = data.pageLinks;
	read = { from: [], to: [], text: [] };
	for (let i = 0, from = 0, next = 0; i < numbers.length - 1; ) {
		if (numbers[i] < 0) {
			from = -numbers[i++] - 1;
			continue;
		}
		const text = numbers[i + 1];
		read.from.push(from);
		read.to.push(numbers[i] - 1);
		read.text.push(text === 0 ? "" : text === 1 ? lines[next++] : lines[text - 2]);
		i += 2;
	}
	return read;
};
