// The panel shows all about one URL.

const panel = document.getElementById("panel");
const slot = (name) => panel.querySelector('[data-slot="' + name + '"]');

// factsOf returns the facts of a row that are known.
const factsOf = (row) => data.columns.filter((column) => column.panel && words(column, row)).map((column) => {
	const notes = notesOf(column).filter((note) => !note.panel).flatMap((note) => [" ", fact(note, row)]);
	const more = column.with && words(columns[column.with], row);
	const tagOfRow = column.kind === "row" ? [" ", fact(columns.decision, valuesOf(column)[row] - 1)] : "";
	return element("div", "", element("dt", "", column.name),
		element("dd", "", fact(column, row), more ? " (" + more + ")" : "", tagOfRow, notes));
});

// findingsOf returns what the rules found on a row.
const findingsOf = (row) => data.parts.flatMap(({ kind, rules }) => rules.flatMap((rule) =>
	rule.rows.filter(({ pages }) => pages && pages.includes(row + 1)).map((item) => element("li", "",
		element("p", "", tag({ name: rule.name, kind }), " ", element("bdi", "", item.message)),
		element("p", "quiet", rule.why + " " + rule.fix)))));

const linkLine = (row, text, quiet) =>
	element("li", "", pageLink(row), note(text), quiet ? [" ", element("span", "quiet", quiet)] : "");

// pathTo returns the path from the start to a row, without the URLs that the report has no room for.
const pathTo = (row, { from, to, text }) => {
	const depth = valuesOf(columns.depth), previous = valuesOf(columns.previous), path = [];
	if (depth[row] < 0) return [element("li", "quiet", say("panel.no-path"))];
	for (let at = row; at >= 0 && path.length <= url.length; at = previous[at] - 1) path.unshift(at);
	return path.map((at, i) => linkLine(at, text[from.findIndex((source, j) => source === path[i - 1] && to[j] === at)],
		i === 0 && depth[at] > 0 ? say("part-of-path") : ""));
};

// fillLinks shows links of a row: at most some of a number of them.
const fillLinks = (name, total, lines) => {
	const items = lines.slice(0, data.linkLimit).map((line) => linkLine(...line));
	if (total > items.length) items.push(element("li", "quiet", say("more", figure(total - items.length))));
	slot(name + "-total").textContent = figure(Math.max(0, total));
	slot(name).replaceChildren(...(items.length ? items : [element("li", "quiet", say("no-links-here"))]));
};

// openPanel shows the panel of a row, if there is one.
let links = null;
const openPanel = (row) => {
	if (!(row in url)) return;
	const found = findingsOf(row), { from, to, text } = (links ??= readLinks());
	const redirects = rows.filter((other) => columns.target.numbers[other] === row + 1
		&& /^redirect/.test(columns.decision.tags[columns.decision.numbers[other]].value));
	panel.querySelector("h3 bdi").textContent = readable(url[row]);
	slot("open").hidden = !isURL(url[row]);
	if (isURL(url[row])) slot("open").firstElementChild.href = url[row];
	panel.querySelector('[data-block="findings"]').hidden = !found.length;
	slot("findings").replaceChildren(...found);
	panel.querySelector(".facts").replaceChildren(...factsOf(row));
	for (const block of panel.querySelectorAll("[data-links]")) block.hidden = !data.hasLinks;
	slot("path").replaceChildren(...pathTo(row, links));
	const numbers = [...to.keys()];
	fillLinks("in", columns.linked_from.numbers[row], [
		...numbers.filter((i) => to[i] === row).map((i) => [from[i], text[i]]),
		...redirects.map((other) => [other, "", say("redirects-here")]),
	]);
	fillLinks("out", columns.links.numbers[row], numbers.filter((i) => from[i] === row).map((i) => [to[i], text[i]]));
	if (!panel.open) panel.showModal();
	panel.scrollTo(0, 0);
	panel.querySelector("h3").focus();
};

panel.addEventListener("click", ({ target }) => {
	if (target === panel || target.closest(".close")) panel.close();
});
panel.addEventListener("close", () => {
	if (location.hash.startsWith("#page/")) history.replaceState(null, "", "#" + current);
});
