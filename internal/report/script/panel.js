// The panel shows all about one URL. The template of the page has its labels.

const why = (row) => {
	const shown = verdict(row);
	if (target[row]) return [shown, " ", element("div", "", pageLink(target[row] - 1))];
	return [shown, ...evidence(row, "title")];
};
// evidence returns the evidence for a decision, unless its tag says it.
const evidence = (row, className) => (verdict(row).textContent.endsWith(detail[row]) ? [] : [element("bdi", className, detail[row])]);

const known = (row, value) => (hasFacts[row] ? value : "");
const withLength = (text, length) => (text ? [element("bdi", "", text), " (" + figure(length) + ")"] : "");

// facts are the facts of a row by their keys. One that is empty is not shown.
const facts = {
	decision: (row) => [verdict(row), " ", ...evidence(row)],
	target: (row) => (target[row] ? [pageLink(target[row] - 1), " ", verdict(target[row] - 1)] : ""),
	conflict: (row) => conflict[row],
	status: (row) => (status[row] ? statusOf(row).name + (reused[row] ? ", " + say("not-modified") : "") : ""),
	time: (row) => (time[row] ? moment(time[row]) : ""),
	lastmod: (row) => (lastMod[row] ? lastMod[row] + " (" + lastModSource[row] + ")" : ""),
	took: (row) => (status[row] ? duration(took[row]) : ""),
	size: (row) => (size[row] ? bytes(size[row]) : ""),
	type: (row) => media[row],
	rendered: (row) => rendered[row],
	modified: (row) => modified[row],
	etag: (row) => etag[row],
	depth: (row) => (depth[row] < 0 ? "" : String(depth[row])),
	named: namedBy,
	title: (row) => withLength(title[row], titleLength[row]),
	description: (row) => withLength(description[row], descriptionLength[row]),
	heading: (row) => heading[row],
	language: (row) => language[row],
	words: (row) => known(row, figure(wordCount[row])),
	images: (row) => known(row, figure(images[row])),
	"open-graph": openGraphOf,
	"json-ld": (row) => jsonLD[row],
};

// findingsOf returns what the rules found on a row.
const findingsOf = (row) => data.parts.flatMap(({ kind, rules }) => rules.flatMap((rule) =>
	rule.rows.filter((item) => item.pages && item.pages.includes(row + 1)).map((item) => ({ kind, rule, item }))));

// pathTo returns the rows from the start to a row, without those that the report has no
// room for.
const pathTo = (row) => {
	const path = [row];
	for (let at = previous[row] - 1; at >= 0 && path.length <= count; at = previous[at] - 1) path.unshift(at);
	return path;
};

const textBetween = (from, to) => {
	const { from: sources, to: ends, text } = readLinks();
	const i = sources.findIndex((source, i) => source === from && ends[i] === to);
	return i < 0 ? "" : text[i];
};

const linkLine = (row, text, note) => element("li", "", pageLink(row),
	text ? [" ", element("bdi", "title", text)] : "", note ? [" ", element("span", "quiet", note)] : "");

// linkList returns links and how many are not shown.
const linkList = (lines, total) => {
	const rest = total - lines.length;
	if (rest > 0) lines.push(element("li", "quiet", say("more", figure(rest))));
	return lines.length ? lines : [element("li", "quiet", say("no-links-here"))];
};

// linksTo returns the links to a row: from pages, and from URLs that redirect to it.
const linksTo = (row) => {
	const { from, to, text } = readLinks(), lines = [];
	for (let i = 0; i < to.length && lines.length < data.linkLimit; i++) {
		if (to[i] === row) lines.push(linkLine(from[i], text[i]));
	}
	for (let other = 0; other < count && lines.length < data.linkLimit; other++) {
		if (target[other] === row + 1 && isRedirect(other)) lines.push(linkLine(other, "", say("redirects-here")));
	}
	return linkList(lines, linked[row]);
};

const linksFrom = (row) => {
	const { from, to, text } = readLinks(), lines = [];
	for (let i = 0; i < from.length && lines.length < data.linkLimit; i++) {
		if (from[i] === row) lines.push(linkLine(to[i], text[i]));
	}
	return linkList(lines, links[row]);
};

const panel = document.getElementById("panel");
const slot = (name) => panel.querySelector('[data-slot="' + name + '"]');

const fillPanel = (row) => {
	panel.querySelector("h3 bdi").textContent = readable(url[row]);
	slot("open").replaceChildren(isURL(url[row]) ? outside(url[row], say("open")) : "");
	const found = findingsOf(row);
	panel.querySelector('[data-block="findings"]').hidden = !found.length;
	slot("findings").replaceChildren(...found.map(({ kind, rule, item }) => element("li", "",
		element("p", "", tag(rule.name, kind), " ", element("bdi", "", item.message)),
		element("p", "quiet", rule.why + " " + rule.fix))));
	for (const [key, value] of Object.entries(facts)) {
		const place = panel.querySelector('[data-fact="' + key + '"]'), shown = value(row);
		place.hidden = shown.length === 0;
		place.querySelector("dd").replaceChildren(...[typeof shown === "string" ? element("bdi", "", shown) : shown].flat()
			.filter((child) => child !== ""));
	}
	for (const block of panel.querySelectorAll("[data-links]")) block.hidden = !data.hasLinks;
	const path = depth[row] < 0 ? [] : pathTo(row);
	slot("path").replaceChildren(...path.map((at, i) => linkLine(at, i ? textBetween(path[i - 1], at) : "",
		i ? "" : depth[at] > 0 ? say("part-of-path") : "")));
	if (!path.length) slot("path").append(element("li", "quiet", say("no-path")));
	slot("in-total").textContent = figure(linked[row]);
	slot("in").replaceChildren(...linksTo(row));
	slot("out-total").textContent = figure(links[row]);
	slot("out").replaceChildren(...linksFrom(row));
};

// openPanel shows the panel of a row, if there is one.
const openPanel = (row) => {
	if (!(row in url)) return;
	fillPanel(row);
	if (!panel.open) panel.showModal();
	panel.scrollTo(0, 0);
	panel.querySelector("h3").focus();
};
