// The parts of the report.

// listColumn makes the column of a list of rows from a fact. Of its notes, the first that is known is shown.
const listColumn = (column) => {
	const isFigure = column.kind in figureKinds, values = valuesOf(column), notes = notesOf(column);
	const value = isFigure ? (row) => (values[row] === -1 ? "" : values[row]) : (row) => words(column, row);
	return {
		name: column.name, className: isFigure ? "figure short" : "half", label: isFigure && column.name.toLowerCase(),
		down: column.down, by: column.kind === "tag" ? (row) => values[row] : value,
		values: [[column.name, value], ...notes.map((one) => [one.name, (row) => words(one, row)])],
		cell: (row) => {
			const known = notes.find((one) => words(one, row));
			return [isFigure ? words(column, row) || "–" : fact(column, row), known ? element("div", "", fact(known, row, "title")) : ""];
		},
	};
};

// findingColumns are those of a list of findings that are alike, each with the first pages that have them.
const pagesOf = (item) => (item.pages || []).slice(0, 3);
const otherOf = (item) => (item.other ? url[item.other - 1] : "") + (item.fragment ? "#" + item.fragment : "");
const findingColumn = (key, value, cell = (item) => element("bdi", "", value(item)), more = []) =>
	({ name: say("column." + key), className: "half", by: value, cell, values: [[say("column." + key), value], ...more] });
const findingColumns = (items) => [
	findingColumn("page", (item) => item.file || pagesOf(item).map((page) => url[page - 1]).join(" "), (item) => [
		...pagesOf(item).map((page, i) => element("div", "", pageLink(page - 1), note(item.texts?.[i]))),
		item.file ? element("bdi", "", item.file) : "", note(item.template ? say("in-template") : ""),
	], [[say("column.text"), (item) => (item.texts || []).filter((text) => text).join(" | ")]]),
	findingColumn("finding", (item) => item.message),
	...(items.some((item) => item.other) ? [findingColumn("other", otherOf, (item) => {
		if (!item.other) return "";
		const link = pageLink(item.other - 1);
		link.append(item.fragment ? "#" + item.fragment : "");
		return link;
	})] : []),
	{
		...findingColumn("pages", (item) => item.places, (item) => figure(item.places)),
		className: "figure short", label: say("column.pages").toLowerCase(), down: true,
	},
];

// rules shows the findings of a section, one rule at a time: the chosen one, or the first.
const rules = (part) => (host, chosen) => {
	const tabs = element("div", "tabs"), under = element("div");
	tabs.append(...part.rules.map((rule) => button([rule.name, " ", element("span", "count", figure(rule.count))], (event) => {
		for (const tab of tabs.children) tab.setAttribute("aria-pressed", String(tab === event.currentTarget));
		const inside = element("div");
		under.replaceChildren(element("p", "quiet about", rule.why), element("p", "quiet", rule.fix), inside,
			rule.rest ? element("p", "quiet", say("more-findings", figure(rule.rest))) : "");
		list(inside, { name: rule.id, items: rule.rows, columns: findingColumns(rule.rows) });
	})));
	host.replaceChildren(tabs, under);
	tabs.children[Math.max(0, part.rules.findIndex(({ id }) => id === chosen))].click();
};

// choicesOf returns the values of a filter that a value of a column has, each with its name.
const choicesOf = (column, value) => {
	if (column.kind === "tag") return [[column.tags[value].value, column.tags[value].word]];
	if (value === -1 || value === "") return column.none ? [["none", column.none]] : [];
	if (column.kind === "set") return column.names.map((name) => [name, name]).filter((_, i) => value & (1 << i));
	return [[String(value), kinds[column.kind] ? kinds[column.kind](value, column) : value]];
};
const filterOf = (column) => {
	const values = [...new Set(valuesOf(column))].sort((a, b) => (a < b ? -1 : 1));
	const choices = new Map(values.map((value) => [value, choicesOf(column, value)]));
	return {
		key: column.key, label: column.name, all: column.filter, least: column.kind === "set" ? 1 : 2,
		values: [...new Map([...choices.values()].flat())],
		fits: (row, chosen) => choices.get(valuesOf(column)[row]).some(([value]) => value === chosen),
	};
};

// every shows all URLs: those of the site before those of other sites.
const every = (host, chosen) => {
	const rules = data.parts.flatMap((part) => part.rules.map(({ id, name, rows }) =>
		({ id: part.id + "/" + id, name, pages: new Set(rows.flatMap(({ pages }) => pages || [])) })));
	list(host, {
		name: "urls", items: [0, 1].flatMap((other) => rows.filter((row) => columns.other.numbers[row] === other)),
		columns: data.columns.filter((column) => column.list).map(listColumn),
		filters: [...data.columns.filter((column) => column.filter).map(filterOf), {
			key: "folder", label: say("folder"), all: say("filter.folder"), values: data.folders.map((name) => [name, short(name)]),
			fits: (row, name) => url[row].startsWith(name),
		}, {
			key: "rule", label: say("rule"), all: say("filter.rule"),
			values: rules.filter(({ pages }) => pages.size).map(({ id, name }) => [id, name]),
			fits: (row, chosen) => rules.find(({ id }) => id === chosen).pages.has(row + 1),
		}],
		chosen: /^folder-/.test(chosen) ? { folder: data.folders[chosen.slice(7)] } : { decision: chosen },
	});
};

// tree shows the folders.
const tree = (host) => {
	const top = element("div", "tree"), above = [top], paths = [];
	const folders = data.tree.map(([level, name, total, listed, broken], i) => {
		const isLeaf = i + 1 === data.tree.length || data.tree[i + 1][0] <= level;
		const line = element(isLeaf ? "div" : "summary", isLeaf ? "leaf" : "",
			element("bdi", "name", readable(name) + "/"), element("span", "n bad", broken ? say("broken", figure(broken)) : ""),
			element("span", "n listed", say("listed", figure(listed))), element("span", "n", figure(total)));
		if (!isLeaf) above[level + 1] = element("details", "", line);
		above[level].append(isLeaf ? line : above[level + 1]);
		paths[level] = (paths[level - 1] ?? "") + name + "/";
		return [paths[level], total, listed, broken];
	});
	if (top.children.length === 1) top.firstElementChild.open = true;
	const values = ["folder", "urls", "listed", "broken-urls"].map((key, i) => [say("column." + key), (folder) => folder[i]]);
	const [tools] = newList("folders", () => folders, [{ values }]);
	tools.querySelector("input").remove();
	host.replaceChildren(tools, top);
};

// The URL fragment selects the part to show, and the panel over it. A part is filled when it is first shown.
const parts = { addresses: every, tree, ...Object.fromEntries(data.parts.map((part) => [part.id, rules(part)])) };
const sections = [...document.querySelectorAll("main > section")], filled = new Map();
let current = "";

const showPart = (name, argument) => {
	current = sections.some(({ id }) => id === name && id !== "pages") ? name : "overview";
	for (const section of sections) section.hidden = section.id !== current;
	for (const link of document.querySelectorAll("nav a")) {
		link.removeAttribute("aria-current");
		if (link.hash !== "#" + current) continue;
		link.setAttribute("aria-current", "page");
		link.scrollIntoView({ block: "nearest", inline: "center" });
	}
	if (Object.hasOwn(parts, current) && (!filled.has(current) || argument && filled.get(current) !== argument)) {
		parts[current](document.querySelector("#" + current + " .fill"), argument);
		filled.set(current, argument);
	}
	window.scrollTo(0, 0);
};

const show = () => {
	const [name, argument = ""] = location.hash.slice(1).split("/");
	if (name === "page") {
		if (!current) showPart("addresses", "");
		openPanel(Number(argument) - 1);
		return;
	}
	if (panel.open) panel.close();
	if (!current || name !== current || argument) showPart(name, argument);
};
window.addEventListener("hashchange", show);
show();
