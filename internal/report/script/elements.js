// Elements. Only http and https URLs become links.

const element = (tag, className, ...children) => {
	const made = document.createElement(tag);
	if (className) made.className = className;
	made.append(...children.flat().filter((child) => child !== "" && child != null));
	return made;
};

const button = (text, className, click) => {
	const made = element("button", className, text);
	made.type = "button";
	made.addEventListener("click", click);
	return made;
};

// readable decodes the escapes of letters and signs beyond ASCII, for people.
const readable = (text) => text.replace(/(?:%[89a-f][0-9a-f])+/gi, (escapes) => {
	try {
		const decoded = decodeURIComponent(escapes);
		return /[^\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(decoded) ? escapes : decoded;
	} catch {
		return escapes;
	}
});
const short = (text) => readable(text.startsWith(origin + "/") ? text.slice(origin.length) : text);
const isURL = (text) => /^https?:\/\//i.test(text) && !text.endsWith("…");

// outside links to a URL of the crawled site, or another.
const outside = (text, shown) => {
	const link = element("a", "address", shown);
	link.href = text;
	link.rel = "noopener noreferrer";
	link.target = "_blank";
	return link;
};

// pageLink links to the panel of a row.
const pageLink = (row) => {
	const link = element("a", "address", short(url[row]));
	link.href = "#page/" + (row + 1);
	return link;
};

// Numbers, dates and times in the form of the language. Go writes the same.
const locale = document.documentElement.lang;
const figures = new Intl.NumberFormat(locale);
const figure = (n) => figures.format(n);
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const bytes = (n) => (n >= 1e6 ? tenths.format(n / 1e6) + " MB" : n >= 1000 ? figure(Math.round(n / 1000)) + " KB" : n + " B");
const duration = (ms) => (ms < 1000 ? ms + " ms" : ms < 60000 ? tenths.format(ms / 1000) + " s" : minutes(ms));
const minutes = (ms) => Math.floor(ms / 60000) + " min" + (ms % 60000 >= 1000 ? " " + Math.floor((ms % 60000) / 1000) + " s" : "");
const days = new Intl.DateTimeFormat(say("dates"), { dateStyle: "long", timeZone: "UTC" });
const moment = (seconds) => {
	const at = new Date(1000 * seconds);
	return days.format(at) + ", " + at.toISOString().slice(11, 16) + " UTC";
};

const tag = (text, tone) => element("span", "tag " + (tone || ""), text);
const statusOf = (row) => data.statuses[status[row]];
const verdict = (row) => {
	const made = tag(statusOf(row).saysMore ? statusOf(row).name : decision(row).text, decision(row).tone);
	made.title = decision(row).why;
	return made;
};

const withTitle = (row) => [pageLink(row), title[row] ? element("bdi", "title", title[row]) : ""];
