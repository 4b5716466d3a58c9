// The data of the report. Texts of the crawled site are written as text nodes, never as HTML.

const data = JSON.parse(document.getElementById("data").textContent);

// say returns a text of the catalogue with its arguments.
const say = (key, ...values) => data.texts[key].replace(/%s/g, () => values.shift());

// unpack returns the values of a column: numbers as they are, URLs that begin with a part of the one before, as long as
// their numbers say, or other texts: 0 is the empty one, 1 the next text that did not occur before, any other number one
// more than that of a text that did.
const unpack = ({ kind, numbers, lines }) => {
	if (lines === undefined) return numbers;
	const texts = lines.split("\n");
	let next = 0, before = "";
	if (kind === "url") return numbers.map((length, i) => (before = before.slice(0, length) + texts[i]));
	return numbers.map((n) => (n === 0 ? "" : n === 1 ? texts[next++] : texts[n - 2]));
};

// The columns of the table of URLs by their keys. Rows count from 0. A row that another refers
// to counts from 1, and 0 is none. A number that is not known is -1, a text empty.
const columns = Object.fromEntries(data.columns.map((column) => [column.key, column]));
const valuesOf = (column) => (column.values ??= unpack(column));

const url = valuesOf(columns.url), rows = [...url.keys()];

// readLinks returns the links between rows: from each page, to a URL, with a text.
const readLinks = () => {
	const from = [], to = [], texts = [];
	let page = 0;
	for (let i = 0; i < data.pageLinks.length - 1; i++) {
		if (data.pageLinks[i] < 0) {
			page = -data.pageLinks[i] - 1;
			continue;
		}
		from.push(page);
		to.push(data.pageLinks[i] - 1);
		texts.push(data.pageLinks[++i]);
	}
	return { from, to, text: unpack({ numbers: texts, lines: data.linkTexts }) };
};
