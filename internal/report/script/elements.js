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

const short = (text) => (text.startsWith(origin + "/") ? text.slice(origin.length) : text);
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

const figures = new Intl.NumberFormat(document.documentElement.lang);
const figure = (n) => figures.format(n);
const duration = (ms) => (ms >= 1000 ? (ms / 1000).toFixed(1) + " s" : ms + " ms");
const bytes = (n) => (n >= 1e6 ? (n / 1e6).toFixed(1) + " MB" : n >= 1000 ? Math.round(n / 1000) + " KB" : n + " B");
const moment = (seconds) => new Date(1000 * seconds).toISOString().slice(0, 19).replace("T", " ") + " UTC";

const tag = (text, tone) => element("span", "tag " + (tone || ""), text);
const verdict = (row) => {
	const made = tag(decision(row).text, decision(row).tone);
	made.title = decision(row).why;
	return made;
};

// marks returns what is conspicuous about a page.
const marks = (row) => {
	const found = [
		took[row] >= data.slow ? tag(say("slow"), "warn") : "",
		size[row] >= data.large ? tag(say("large"), "warn") : "",
		needsScript[row] ? tag(say("no-text"), "warn") : "",
	].filter((mark) => mark);
	return found.length ? element("div", "marks", found) : "";
};

const withTitle = (row) => [pageLink(row), title[row] ? element("bdi", "title", title[row]) : "", marks(row)];

// shorten shows the first elements of a list, and the others after a click.
const shorten = (items, most, rest) => {
	const list = element("ul", "sources", items.slice(0, most).map((make) => element("li", "", make())));
	const hidden = items.length - most;
	if (hidden > 0) {
		const more = button(say("more", figure(hidden)), "more", () => {
			more.parentNode.remove();
			list.append(...items.slice(most).map((make) => element("li", "", make())));
			if (rest) list.append(element("li", "quiet", rest));
		});
		list.append(element("li", "", more));
	} else if (rest) {
		list.append(element("li", "quiet", rest));
	}
	return list;
};
