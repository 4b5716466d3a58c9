// Elements. Only http and https URLs become links.

const element = (tag, className, ...children) => {
	const made = document.createElement(tag);
	if (className) made.className = className;
	made.append(...children.flat().filter((child) => child !== "" && child != null));
	return made;
};

const button = (text, onclick) => Object.assign(element("button", "", text), { type: "button", onclick });

// readable decodes the escapes of letters and signs beyond ASCII, for people.
const readable = (text) => text.replace(/(?:%[89a-f][0-9a-f])+/gi, (escapes) => {
	try {
		const decoded = decodeURIComponent(escapes);
		return /[^\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(decoded) ? escapes : decoded;
	} catch {
		return escapes;
	}
});
const short = (text) => readable(text.startsWith(data.origin + "/") ? text.slice(data.origin.length) : text);
const isURL = (text) => /^https?:\/\//i.test(text) && !text.endsWith("…");

// pageLink links to the panel of a row.
const pageLink = (row) => Object.assign(element("a", "address", short(url[row])), { href: "#page/" + (row + 1) });

const tag = ({ name, kind, text }) => Object.assign(element("span", "tag " + kind, name), text && { title: text });

// note is a text of the site after a link, or nothing.
const note = (text) => (text ? [" ", element("bdi", "title", text)] : "");

// Numbers, dates and times in the form of the language. Go writes the same.
const locale = document.documentElement.lang;
const figures = new Intl.NumberFormat(locale);
const figure = (n) => figures.format(n);
const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const bytes = (n) => (n >= 1e6 ? tenths.format(n / 1e6) + " MB" : n >= 1000 ? figure(Math.round(n / 1000)) + " KB" : n + " B");
const minutes = (s) => Math.floor(s / 60) + " min" + (s % 60 ? " " + (s % 60) + " s" : "");
const milliseconds = (ms) => (ms < 1000 ? ms + " ms" : ms < 60000 ? tenths.format(ms / 1000) + " s" : minutes(Math.floor(ms / 1000)));
const days = new Intl.DateTimeFormat(say("dates"), { dateStyle: "long", timeZone: "UTC" });
const time = (seconds) => {
	const at = new Date(1000 * seconds);
	return days.format(at) + ", " + at.toISOString().slice(11, 16) + " UTC";
};

// kinds return the words for the values of columns that are no texts. Figures are exported as numbers.
const figureKinds = { number: figure, bytes, milliseconds, time };
const kinds = {
	...figureKinds,
	row: (number) => (number ? url[number - 1] : ""),
	tag: (number, { tags }) => tags[number].name,
	set: (bits, { names }) => names.filter((_, i) => bits & (1 << i)).join(", "),
};
const words = (column, row) => {
	const value = valuesOf(column)[row];
	return value === -1 ? "" : typeof value === "string" ? value : kinds[column.kind](value, column);
};

// fact returns a fact of a row as an element, or "" where it is not known.
const fact = (column, row, className = "") => {
	const text = words(column, row), value = valuesOf(column)[row];
	switch (text && column.kind) {
	case "": return "";
	case "url": return pageLink(row);
	case "row": return pageLink(value - 1);
	case "tag": return tag(column.tags[value]);
	}
	return element("bdi", className, text);
};
const notesOf = (column) => (column.notes || []).map((key) => columns[key]);
