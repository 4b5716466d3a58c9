// The parts of the report.

const allRows = (fits) => {
	const rows = [];
	for (let row = 0; row < count; row++) if (fits(row)) rows.push(row);
	return rows;
};

// named makes a column with the name of its key.
const column = (key, more) => ({ name: say("column." + key), ...more });
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
	linked: number("linked", (row) => linked[row]),
	depth: {
		...number("depth", (row) => (depth[row] < 0 ? "" : depth[row]), (n) => (n === "" ? "–" : figure(n))),
		down: false, by: (row) => (depth[row] < 0 ? Infinity : depth[row]),
	},
};

// pagesOf returns the first pages of a finding with the texts of their links.
const pagesOf = (item) => (item.pages || []).slice(0, 3).map((page, i) => [page - 1, (item.texts || [])[i] || ""]);

const findingColumns = {
	page: column("page", {
		className: "half", by: (item) => item.file || urlOf((item.pages || [0])[0] - 1),
		cell: (item) => [
			...pagesOf(item).map(([row, text]) => element("div", "", pageLink(row), text ? [" ", element("bdi", "title", text)] : "")),
			item.file ? element("bdi", "", item.file) : "",
			item.template ? element("bdi", "title", say("in-template")) : "",
		],
		values: [[say("column.page"), (item) => item.file || pagesOf(item).map(([row]) => urlOf(row)).join(" ")],
			[say("column.text"), (item) => pagesOf(item).map(([, text]) => text).filter((text) => text).join(" | ")]],
	}),
	finding: column("finding", {
		className: "half", by: (item) => item.message, cell: (item) => element("bdi", "", item.message),
		values: [[say("column.finding"), (item) => item.message]],
	}),
	other: column("other", {
		className: "half", by: (item) => otherOf(item),
		cell: (item) => {
			if (!item.other) return "";
			const link = pageLink(item.other - 1);
			link.append(item.fragment ? "#" + item.fragment : "");
			return link;
		},
		values: [[say("column.other"), (item) => otherOf(item)]],
	}),
	pages: number("pages", (item) => item.places),
};
const otherOf = (item) => (item.other ? url[item.other - 1] + (item.fragment ? "#" + item.fragment : "") : "");

// rules shows the findings of a section, one rule at a time.
const rules = (part) => (host, chosen) => tabs(host, part.rules.map((rule) => ({
	id: rule.id, name: rule.name, count: rule.count, show: (under) => {
		const keys = ["page", "finding", ...(rule.rows.some((item) => item.other) ? ["other"] : []), "pages"];
		const inside = element("div");
		under.replaceChildren(element("p", "quiet about", rule.why), element("p", "quiet", rule.fix), inside,
			rule.rest ? element("p", "quiet", say("more-findings", figure(rule.rest))) : "");
		list(inside, { name: rule.id, items: rule.rows, columns: keys.map((key) => findingColumns[key]) });
	},
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
	}, {
		label: say("rule"), all: say("all-rules"),
		values: data.parts.flatMap(({ id, rules }) => rules.map((rule) => [id + "/" + rule.id, rule.name])),
		fits: (row, value) => rowsOf(value).has(row + 1),
	},
];

// rowsOf returns the rows on which a rule found something.
const rowsOf = (value) => {
	const [part, id] = value.split("/");
	const rule = data.parts.find((one) => one.id === part).rules.find((one) => one.id === id);
	return (rule.all ??= new Set(rule.rows.flatMap(({ pages }) => pages || [])));
};

// The URLs of the site come before those of other sites, whose kind is 2.
const every = (host, chosen) => list(host, {
	name: "urls", items: [...allRows((row) => data.kind[row] < 2), ...allRows((row) => data.kind[row] === 2)],
	columns: data.addressColumns.map((key) => columns[key]), filters: filters(),
	chosen: /^folder-/.test(chosen) ? { [say("folder")]: data.folders[chosen.slice(7)] } : { [say("decision")]: chosen },
});

// tree shows the folders. A level is created when it is opened.
const tree = (host) => {
	const folders = data.tree;
	const line = (tag, at) => {
		const [, name, total, good, dead] = folders[at];
		return element(tag, tag === "summary" ? "" : "leaf",
			element("bdi", "name", name ? readable(name) + "/" : "/"),
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
