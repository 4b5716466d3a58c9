// The parts of the report.

const allRows = (fits) => {
	const rows = [];
	for (let row = 0; row < count; row++) if (fits(row)) rows.push(row);
	return rows;
};

// named makes a column with the name of its key.
const column = (key, more) => ({ name: say("column." + key), ...more });
const text = (key, value) => column(key, {
	className: "half", by: value, cell: (row) => element("bdi", "", value(row)), values: [[say("column." + key), value]],
});
const number = (key, value, shown = figure) => column(key, {
	className: "figure short", label: say("column." + key).toLowerCase(), down: true, by: value,
	cell: (row) => shown(value(row)), values: [[say("column." + key), value]],
});
const urlOf = (row) => (row >= 0 ? url[row] : "");

// columns are the columns of lists of rows by their keys.
const columns = {
	url: column("url", {
		className: "half", by: (row) => row, cell: withTitle,
		values: [[say("column.url"), urlOf], [say("column.title"), (row) => title[row]]],
	}),
	decision: column("decision", {
		className: "half", by: (row) => reason[row], cell: why,
		values: [[say("column.decision"), (row) => decision(row).text], [say("column.source"), (row) => detail[row]],
			[say("column.target"), (row) => urlOf(target[row] - 1)]],
	}),
	target: column("target", {
		className: "half", by: (row) => target[row], cell: (row) => (target[row] ? pageLink(target[row] - 1) : ""),
		values: [[say("column.target"), (row) => urlOf(target[row] - 1)]],
	}),
	"target-decision": column("target-decision", {
		className: "short", by: (row) => (target[row] ? reason[target[row] - 1] : -1),
		cell: (row) => (target[row] ? verdict(target[row] - 1) : ""),
		values: [[say("column.target-decision"), (row) => (target[row] ? decision(target[row] - 1).text : "")]],
	}),
	chain: column("chain", {
		className: "half",
		cell: (row) => {
			const steps = chain(row);
			return element("ol", "steps", steps.map((step, i) => element("li", "", pageLink(step), i === steps.length - 1 ? [" ", verdict(step)] : "")));
		},
		values: [[say("column.chain"), (row) => chain(row).map(urlOf).join(" ")]],
	}),
	steps: number("steps", (row) => chain(row).length),
	linked: number("linked", (row) => linked[row]),
	status: { ...number("status", (row) => status[row], (n) => (n ? String(n) : "")), down: false },
	depth: {
		...number("depth", (row) => (depth[row] < 0 ? "" : depth[row]), String),
		down: false, by: (row) => (depth[row] < 0 ? Infinity : depth[row]),
	},
	source: text("source", (row) => detail[row]),
	conflict: text("conflict", (row) => conflict[row]),
	"title-length": number("title-length", (row) => titleLength[row]),
	description: text("description", (row) => description[row]),
	"description-length": number("description-length", (row) => descriptionLength[row]),
	heading: text("heading", (row) => heading[row]),
	words: number("words", (row) => wordCount[row]),
	images: number("images", (row) => images[row]),
	"open-graph": text("open-graph", openGraphOf),
	"json-ld": text("json-ld", (row) => jsonLD[row]),
	time: number("time", (row) => took[row], duration),
	size: number("size", (row) => size[row], bytes),
	named: { ...text("named", namedBy), className: "short" },
};

// rowList shows a list of rows. Slow pages come first in lists of response times.
const rowList = (part, made) => (host) => {
	const items = (made.rows || []).map((row) => row - 1);
	if (made.columns.includes("time")) items.sort((a, b) => took[b] - took[a]);
	const shown = made.columns.map((key) => columns[key]);
	if (shown.filter((column) => column.className === "half").length === 1) shown[0] = { ...shown[0], className: "wide" };
	list(host, { name: part.id + "-" + made.id, items, columns: shown, empty: made.empty });
};

// sharedBy returns what the pages of a group share, or the title of the first.
const sharedBy = { descriptions: description, headings: heading };

const groupList = (part, made) => (host) => {
	const shared = sharedBy[part.id] || title;
	const first = (item) => shared[item.rows[0]] || say("no-title");
	list(host, {
		name: part.id + "-" + made.id,
		items: (made.groups || []).map(([total, ...rows]) => ({ total, rows: rows.filter((row) => row).map((row) => row - 1) })),
		empty: made.empty,
		columns: [
			{ name: made.group_name, className: "half", by: first, cell: (item) => element("bdi", "", first(item)), values: [[made.group_name, first]] },
			column("urls", {
				className: "half", cell: (item) => shorten(item.rows.map((row) => () => pageLink(row)), 5,
					item.total > item.rows.length ? say("more", figure(item.total - item.rows.length)) : ""),
				values: [[say("column.urls"), (item) => item.rows.map(urlOf).join(" ")]],
			}),
			number("pages", (item) => item.total),
		],
	});
};

const lists = (part) => (host, chosen) => tabs(host, part.lists.map((made) => ({
	id: made.id, name: made.name, count: made.total, show: (made.grouped ? groupList : rowList)(part, made),
})), chosen);

const options = (values) => [...new Set(values)].sort((a, b) => (a < b ? -1 : 1));

const filters = () => [
	{
		label: say("decision"), all: say("all-decisions"), values: reasons.map((r) => [r.name, r.text]),
		fits: (row, value) => decision(row).name === value,
	}, {
		label: say("status"), all: say("all-statuses"),
		values: options(status).map((value) => [String(value), value ? String(value) : say("no-response")]),
		fits: (row, value) => String(status[row]) === value,
	}, {
		label: say("depth"), all: say("all-depths"),
		values: options(depth).map((value) => [String(value), value < 0 ? say("orphan") : String(value)]),
		fits: (row, value) => String(depth[row]) === value,
	}, {
		label: say("folder"), all: say("all-folders"), values: data.folders.map((name) => [name, short(name)]),
		fits: (row, value) => url[row].startsWith(value),
	}, {
		label: say("type"), all: say("all-types"), values: options(media).filter((type) => type).map((type) => [type, type]),
		fits: (row, value) => media[row] === value,
	},
];

// The URLs of the site come before those of other sites, whose kind is 2.
const every = (host, chosen) => list(host, {
	name: "urls", items: [...allRows((row) => data.kind[row] < 2), ...allRows((row) => data.kind[row] === 2)],
	columns: data.addressColumns.map((key) => columns[key]), filters: filters(),
	chosen: { [say("decision")]: chosen },
});

const targets = (name) => data[name].map(([row, fragment, why, total, ...rest]) => {
	const sources = [];
	for (let i = 0; i < rest.length; i += 2) sources.push([rest[i] - 1, rest[i + 1]]);
	return { row: row - 1, fragment, url: url[row - 1] + (fragment ? "#" + fragment : ""), why, total, sources };
});

const brokenList = (name, items) => (host) => list(host, {
	name, items,
	columns: [
		column("broken", {
			className: "half", by: (item) => item.url,
			cell: (item) => {
				const link = pageLink(item.row);
				link.append(item.fragment ? "#" + item.fragment : "");
				return [link, element("div", "", tag(item.why, "bad"))];
			},
			values: [[say("column.broken"), (item) => item.url], [say("column.why"), (item) => item.why]],
		}),
		column("on", {
			className: "half", label: say("column.on").toLowerCase(),
			cell: (item) => shorten(
				item.sources.map(([row, text]) => () => [pageLink(row), text ? element("bdi", "title", "“" + text + "”") : ""]),
				3, item.total > item.sources.length ? say("more-broken", figure(item.total - item.sources.length)) : ""),
			values: [[say("column.on"), (item) => item.sources.map(([row]) => urlOf(row)).join(" ")],
				[say("column.text"), (item) => item.sources.map(([, text]) => text).join(" | ")]],
		}),
		number("links", (item) => item.total),
	],
});

const broken = (host, chosen) => tabs(host, [
	{ id: "broken-urls", name: say("broken-urls"), count: totals.broken, show: brokenList("broken-urls", targets("broken")) },
	{ id: "missing-anchors", name: say("missing-anchors"), count: totals.anchors, show: brokenList("missing-anchors", targets("anchors")) },
], chosen);

const languages = (host) => {
	const rowText = (key, of) => column(key, {
		className: "half", by: of, cell: (item) => (of(item) >= 0 ? withTitle(of(item)) : ""),
		values: [[say("column." + key), (item) => urlOf(of(item))]],
	});
	list(host, {
		name: "languages",
		items: data.languages.map(([row, fault, other, language]) => ({ row: row - 1, fault, other: other - 1, language })),
		filters: [{
			label: say("error"), all: say("all-errors"), values: data.faults.map(([name], i) => [String(i), name]),
			fits: (item, value) => String(item.fault) === value,
		}],
		columns: [
			rowText("page", (item) => item.row),
			column("error", {
				className: "half", by: (item) => item.fault,
				cell: (item) => [tag(data.faults[item.fault][0], "warn"), element("span", "title", data.faults[item.fault][1])],
				values: [[say("column.error"), (item) => data.faults[item.fault][0]]],
			}),
			rowText("version", (item) => item.other),
			{ ...text("language", (item) => item.language), className: "short" },
		],
	});
};

// tree shows the folders. A level is created when it is opened.
const tree = (host) => {
	const folders = data.tree;
	const line = (tag, at) => {
		const [, name, total, good, dead] = folders[at];
		return element(tag, tag === "summary" ? "" : "leaf",
			element("bdi", "name", name ? name + "/" : "/"),
			element("span", "n bad", dead ? say("broken", figure(dead)) : ""),
			element("span", "n listed", say("listed", figure(good))),
			element("span", "n", figure(total)));
	};
	const inside = (at) => {
		const children = [];
		for (let i = at + 1; i < folders.length && folders[i][0] > folders[at][0]; i++) {
			if (folders[i][0] === folders[at][0] + 1) children.push(i);
		}
		return children;
	};
	const branch = (at, open) => {
		const children = inside(at);
		if (!children.length) return line("div", at);
		const made = element("details", "", line("summary", at));
		const fill = () => {
			if (made.children.length === 1) made.append(...children.map((child) => branch(child, false)));
		};
		made.addEventListener("toggle", fill);
		if (open) {
			fill();
			made.open = true;
		}
		return made;
	};
	const roots = [];
	folders.forEach(([level], i) => { if (level === 0) roots.push(i); });
	const path = [], found = element("span", "found");
	found.setAttribute("role", "status");
	const lines = folders.map(([level, name, ...figures]) => {
		path.length = level;
		path.push(name);
		return { name: path.join("/") + "/", figures };
	});
	const values = [[say("column.folder"), (line) => line.name],
		...["urls", "listed", "broken-urls"].map((key, i) => [say("column." + key), (line) => line.figures[i]])];
	host.replaceChildren(element("div", "tools", found, element("span", "exports", exportTools("folders", () => lines, [{ values }], found))),
		element("div", "tree", roots.map((root) => branch(root, roots.length === 1))));
};
