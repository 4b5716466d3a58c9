// Texts of the crawled site are written as text nodes, never as HTML. Only http and
// https URLs become links.
(() => {
	"use strict";

	const pageSize = 100;
	const shownSources = 3;
	const data = JSON.parse(document.getElementById("data").textContent);

	// words reads a column of texts: 0 is the empty text, -1 the next new text, any
	// other number the text with this number.
	const words = (name) => {
		const lines = data[name + "s"].split("\n");
		let next = 0;
		return data[name].map((n) => (n === 0 ? "" : n < 0 ? lines[next++] : lines[n - 1]));
	};

	const addresses = () => {
		let before = "";
		if (!data.shared.length) return [];
		return data.urls.split("\n").map((rest, i) => (before = before.slice(0, data.shared[i]) + rest));
	};

	const url = addresses(), title = words("title"), detail = words("detail"), conflict = words("conflict");
	const { origin, totals, reason, status, depth, linked, took, size, target, kind, given } = data;
	const count = url.length;
	const reasons = data.reasons.map(([name, text, why, tone]) => ({ name, text, why, tone }));
	const reasonAt = (name) => reasons.findIndex((r) => r.name === name);
	const listed = (row) => reasons[reason[row]].name === "listed" || reasons[reason[row]].name === "added";

	const allRows = (fits) => {
		const rows = [];
		for (let row = 0; row < count; row++) if (fits(row)) rows.push(row);
		return rows;
	};

	// Elements.

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

	const address = (text) => {
		if (!/^https?:\/\//i.test(text) || text.endsWith("…")) return element("bdi", "address", text);
		const link = element("a", "address", short(text));
		link.href = text;
		link.rel = "noopener noreferrer";
		link.target = "_blank";
		return link;
	};

	const figures = new Intl.NumberFormat("en");
	const figure = (n) => figures.format(n);
	const duration = (ms) => (ms >= 1000 ? (ms / 1000).toFixed(1) + " s" : ms + " ms");
	const bytes = (n) => (n >= 1e6 ? (n / 1e6).toFixed(1) + " MB" : n >= 1000 ? Math.round(n / 1000) + " KB" : n + " B");

	const verdict = (row) => {
		const tag = element("span", "tag " + reasons[reason[row]].tone, reasons[reason[row]].text);
		tag.title = reasons[reason[row]].why;
		return tag;
	};
	const withTitle = (row) => [address(url[row]), title[row] ? element("bdi", "title", title[row]) : ""];

	// shorten shows the first elements of a list, and the rest after a click.
	const shorten = (items, most, rest) => {
		const list = element("ul", "sources", items.slice(0, most).map((make) => element("li", "", make())));
		const hidden = items.length - most;
		if (hidden > 0) {
			const more = button("and " + figure(hidden) + " more", "more", () => {
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

	// list shows a table with search, sorting and pages. Only the rows of one page are
	// in the document.
	const list = (host, { items, columns, search, choices, chosen, empty }) => {
		let shown = items, order = null, backwards = false, first = 0, choice = chosen || "";
		const body = element("tbody");
		const found = element("span", "found");
		found.setAttribute("role", "status");
		const pager = element("div", "pager");
		const field = element("input");
		field.type = "search";
		field.placeholder = "Search";
		field.setAttribute("aria-label", "Search this list");
		field.autocomplete = "off";
		field.spellcheck = false;

		const draw = () => {
			body.replaceChildren(...shown.slice(first, first + pageSize).map((item) => element("tr", "", columns.map((column) => {
				const cell = element("td", column.className, column.cell(item));
				if (column.label) cell.dataset.name = column.label;
				return cell;
			}))));
			found.textContent = shown.length === items.length ? figure(shown.length) : figure(shown.length) + " of " + figure(items.length);
			table.hidden = shown.length === 0;
			nothing.hidden = shown.length > 0;
			pager.hidden = shown.length <= pageSize;
			previous.disabled = first === 0;
			following.disabled = first + pageSize >= shown.length;
			range.textContent = figure(first + 1) + " to " + figure(Math.min(first + pageSize, shown.length)) + " of " + figure(shown.length);
		};
		const turn = (to) => {
			first = to;
			draw();
			host.parentNode.scrollIntoView();
		};
		const previous = button("Previous", "", () => turn(Math.max(0, first - pageSize)));
		const following = button("Next", "", () => turn(first + pageSize));
		const range = element("span");
		pager.append(previous, range, following);

		const pick = () => {
			const wanted = field.value.trim().toLowerCase();
			shown = items;
			if (choice && choices) shown = shown.filter((item) => choices.of(item) === choice);
			if (wanted) shown = shown.filter((item) => search(item).toLowerCase().includes(wanted));
			if (order) {
				const key = new Map(shown.map((item) => [item, order.by(item)]));
				shown = [...shown].sort((a, b) => {
					const x = key.get(a), y = key.get(b);
					return (x < y ? -1 : x > y ? 1 : 0) * (backwards ? -1 : 1);
				});
			}
			first = 0;
			draw();
		};
		let waits = 0;
		field.addEventListener("input", () => {
			clearTimeout(waits);
			waits = setTimeout(pick, 120);
		});

		const head = element("tr", "", columns.map((column) => {
			const cell = element("th", column.className);
			cell.scope = "col";
			if (!column.by) {
				cell.append(element("span", "", column.name));
				return cell;
			}
			cell.append(button(column.name, "", (event) => {
				backwards = order === column ? !backwards : column.down === true;
				order = column;
				for (const other of head.querySelectorAll("[aria-sort]")) other.removeAttribute("aria-sort");
				event.currentTarget.parentNode.setAttribute("aria-sort", backwards ? "descending" : "ascending");
				pick();
			}));
			return cell;
		}));
		const table = element("table", "list", element("thead", "", head), body);
		const nothing = element("p", "empty", empty || "No matches.");
		const tools = element("div", "tools", field);
		if (choices) {
			const select = element("select", "", choices.all.map(([value, text]) => {
				const option = element("option", "", text);
				option.value = value;
				return option;
			}));
			select.setAttribute("aria-label", choices.label);
			select.value = choice;
			select.addEventListener("change", () => {
				choice = select.value;
				pick();
			});
			tools.append(select);
		}
		tools.append(found);
		tools.hidden = items.length === 0;
		host.replaceChildren(tools, table, nothing, pager);
		pick();
	};

	// tabs shows one of several lists.
	const tabs = (host, parts) => {
		const row = element("div", "tabs"), under = element("div");
		const show = (part) => {
			for (const other of row.children) other.setAttribute("aria-pressed", String(other === part.button));
			part.show(under);
		};
		for (const part of parts) {
			part.button = button(part.name + " (" + figure(part.count) + ")", "", () => show(part));
			row.append(part.button);
		}
		host.replaceChildren(row, under);
		show(parts.find((part) => part.count > 0) || parts[0]);
	};

	// Parts of the report.

	const targets = (name) => data[name].map(([row, fragment, why, total, ...rest]) => {
		const sources = [];
		for (let i = 0; i < rest.length; i += 2) sources.push([rest[i] - 1, rest[i + 1]]);
		return { url: url[row - 1] + (fragment ? "#" + fragment : ""), why, total, sources };
	});

	const brokenList = (items) => (host) => list(host, {
		items,
		search: (item) => item.url + " " + item.why + " " + item.sources.map(([row, text]) => url[row] + " " + text).join(" "),
		empty: "No broken links.",
		columns: [
			{ name: "Broken URL", className: "half", by: (item) => item.url, cell: (item) => [address(item.url), element("div", "", element("span", "tag bad", item.why))] },
			{ name: "Linked from", className: "half", label: "on", cell: (item) => shorten(
				item.sources.map(([row, text]) => () => [address(url[row]), text ? element("bdi", "title", "“" + text + "”") : ""]),
				shownSources, item.total > item.sources.length ? "and " + figure(item.total - item.sources.length) + " more in broken.csv" : "") },
			{ name: "Links", className: "figure short", label: "links", down: true, by: (item) => item.total, cell: (item) => figure(item.total) },
		],
	});

	const broken = (host) => {
		const urls = targets("broken"), anchors = targets("anchors");
		tabs(host, [
			{ name: "Broken URLs", count: totals.broken, show: brokenList(urls) },
			{ name: "Missing anchors", count: totals.anchors, show: brokenList(anchors) },
		]);
	};

	// chain returns the steps of a redirect.
	const chain = (row) => {
		const steps = [], seen = new Set([row]);
		for (let next = target[row] - 1; next >= 0; next = target[next] - 1) {
			steps.push(next);
			if (seen.has(next) || !/^redirect/.test(reasons[reason[next]].name)) break;
			seen.add(next);
		}
		return steps;
	};

	const redirects = (host) => list(host, {
		items: allRows((row) => /^redirect/.test(reasons[reason[row]].name)).map((row) => ({ row, steps: chain(row) })),
		search: (item) => [item.row, ...item.steps].map((row) => url[row]).join(" "),
		empty: "No redirects.",
		columns: [
			{ name: "URL", className: "half", by: (item) => item.row, cell: (item) => [address(url[item.row]), " ", element("span", "tag", String(status[item.row])), detail[item.row] ? element("bdi", "title", detail[item.row]) : ""] },
			{ name: "Target", className: "half", cell: (item) => element("ol", "steps", item.steps.map((row, i) => element("li", "", address(url[row]), i === item.steps.length - 1 ? [" ", verdict(row)] : ""))) },
			{ name: "Steps", className: "figure short", label: "steps", down: true, by: (item) => item.steps.length, cell: (item) => figure(item.steps.length) },
			{ name: "Linked from", className: "figure short", label: "linked from", down: true, by: (item) => linked[item.row], cell: (item) => figure(linked[item.row]) },
		],
	});

	const why = (row) => {
		const parts = [verdict(row)];
		if (detail[row]) parts.push(element("bdi", "title", detail[row]));
		if (target[row]) parts.push(element("span", "title", "→ ", address(url[target[row] - 1])));
		return parts;
	};

	const every = (host, argument) => list(host, {
		items: allRows(() => true),
		search: (row) => url[row] + " " + title[row] + " " + detail[row],
		choices: {
			label: "Decision",
			all: [["", "All decisions"], ...reasons.map((r) => [r.name, r.text])],
			of: (row) => reasons[reason[row]].name,
		},
		chosen: reasonAt(argument) >= 0 ? argument : "",
		columns: [
			{ name: "URL", className: "half", by: (row) => row, cell: withTitle },
			{ name: "Decision", className: "half", by: (row) => reason[row], cell: why },
			{ name: "Status", className: "figure short", label: "status", by: (row) => status[row], cell: (row) => (status[row] ? String(status[row]) : "") },
			{ name: "Depth", className: "figure short", label: "depth", by: (row) => (depth[row] < 0 ? Infinity : depth[row]), cell: (row) => (depth[row] < 0 ? "" : String(depth[row])) },
			{ name: "Linked from", className: "figure short", label: "linked from", down: true, by: (row) => linked[row], cell: (row) => figure(linked[row]) },
		],
	});

	const groupList = (groups, name, text, empty) => (host) => list(host, {
		items: groups.map(([total, ...rows]) => ({ total, rows: rows.map((row) => row - 1) })),
		search: (item) => item.rows.map((row) => url[row] + " " + title[row]).join(" "),
		empty,
		columns: [
			{ name, className: "half", by: (item) => text(item.rows[0]), cell: (item) => element("bdi", "", text(item.rows[0])) },
			{ name: "URLs", className: "half", cell: (item) => shorten(item.rows.map((row) => () => address(url[row])), 5,
				item.total > item.rows.length ? "and " + figure(item.total - item.rows.length) + " more" : "") },
			{ name: "Pages", className: "figure short", label: "pages", down: true, by: (item) => item.total, cell: (item) => figure(item.total) },
		],
	});

	const duplicates = (host) => {
		const left = allRows((row) => /^(duplicate|parameter-variant)$/.test(reasons[reason[row]].name));
		tabs(host, [
			{ name: "Same content", count: totals.sameContent, show: groupList(data.sameContent, "Title of first page", (row) => title[row] || "no title", "No listed pages have the same content.") },
			{ name: "Copies", count: left.length, show: (under) => list(under, {
				items: left,
				search: (row) => url[row] + " " + title[row] + " " + (target[row] ? url[target[row] - 1] : ""),
				empty: "No page is a copy of another page.",
				columns: [
					{ name: "URL", className: "half", by: (row) => row, cell: withTitle },
					{ name: "Same as", className: "half", by: (row) => target[row], cell: (row) => (target[row] ? address(url[target[row] - 1]) : "") },
					{ name: "Decision", className: "short", by: (row) => reason[row], cell: verdict },
				],
			}) },
		]);
	};

	const titles = (host) => {
		const missing = allRows((row) => listed(row) && kind[row] === 0 && status[row] === 200 && !title[row]);
		tabs(host, [
			{ name: "Missing", count: missing.length, show: (under) => list(under, {
				items: missing,
				search: (row) => url[row],
				empty: "Every listed page has a title.",
				columns: [
					{ name: "URL", className: "wide", by: (row) => row, cell: (row) => address(url[row]) },
					{ name: "Linked from", className: "figure short", label: "linked from", down: true, by: (row) => linked[row], cell: (row) => figure(linked[row]) },
				],
			}) },
			{ name: "Same title", count: totals.sameTitle, show: groupList(data.sameTitle, "Title", (row) => title[row], "Every listed page has its own title.") },
		]);
	};

	const speed = (host) => list(host, {
		items: allRows((row) => kind[row] < 2 && status[row] > 0).sort((a, b) => took[b] - took[a]),
		search: (row) => url[row] + " " + title[row],
		columns: [
			{ name: "URL", className: "wide", by: (row) => row, cell: withTitle },
			{ name: "Time", className: "figure short", label: "time", down: true, by: (row) => took[row], cell: (row) => duration(took[row]) },
			{ name: "Size", className: "figure short", label: "size", down: true, by: (row) => size[row], cell: (row) => bytes(size[row]) },
		],
	});

	const canonical = (host) => {
		const elsewhere = allRows((row) => reasons[reason[row]].name === "canonical");
		const notListed = elsewhere.filter((row) => target[row] && !listed(target[row] - 1));
		const conflicting = allRows((row) => conflict[row]);
		const columns = [
			{ name: "URL", className: "half", by: (row) => row, cell: withTitle },
			{ name: "Canonical URL", className: "half", by: (row) => target[row], cell: (row) => (target[row] ? address(url[target[row] - 1]) : "") },
			{ name: "Canonical is", className: "short", by: (row) => (target[row] ? reason[target[row] - 1] : -1), cell: (row) => (target[row] ? verdict(target[row] - 1) : "") },
			{ name: "Source", className: "short", by: (row) => detail[row], cell: (row) => element("bdi", "title", detail[row]) },
		];
		const search = (row) => url[row] + " " + title[row] + " " + (target[row] ? url[target[row] - 1] : "");
		tabs(host, [
			{ name: "Canonical not listed", count: notListed.length, show: (under) => list(under, { items: notListed, search, columns, empty: "Every canonical URL is listed." }) },
			{ name: "Two canonicals", count: conflicting.length, show: (under) => list(under, {
				items: conflicting,
				search: (row) => url[row] + " " + conflict[row],
				empty: "No page has two canonical URLs.",
				columns: [columns[0], { name: "Conflict", className: "half", by: (row) => conflict[row], cell: (row) => element("bdi", "", conflict[row]) }],
			}) },
			{ name: "All", count: elsewhere.length, show: (under) => list(under, { items: elsewhere, search, columns, empty: "No page has another page as canonical." }) },
		]);
	};

	// Sources of a URL: 1 start, 2 sitemap, 4 list, 8 log.
	const namers = [[2, "sitemap"], [4, "list"], [8, "access log"]];
	const namedBy = (row) => namers.filter(([bit]) => given[row] & bit).map(([, name]) => name).join(", ");

	const gaps = (host) => {
		const is = (...names) => (row) => names.includes(reasons[reason[row]].name);
		const named = allRows((row) => given[row] & 14), bySitemap = named.some((row) => given[row] & 2);
		const broken = is("client-error", "server-error", "unreachable", "redirect-loop");
		const part = (name, items, empty) => ({ name, count: items.length, show: (under) => list(under, {
			items, empty,
			search: (row) => url[row] + " " + title[row],
			columns: [
				{ name: "URL", className: "half", by: (row) => row, cell: withTitle },
				{ name: "Decision", className: "half", by: (row) => reason[row], cell: why },
				{ name: "Named by", className: "short", label: "named by", by: (row) => given[row], cell: (row) => namedBy(row) },
				{ name: "Linked from", className: "figure short", label: "linked from", down: true, by: (row) => linked[row], cell: (row) => figure(linked[row]) },
			],
		}) });
		tabs(host, [
			part("Orphan pages", named.filter((row) => listed(row) && !linked[row] && !(given[row] & 1)), "Every page has a link to it."),
			part("Broken", named.filter(broken), "No broken URLs."),
			part("Redirects", named.filter(is("redirect")), "No redirects."),
			part("Noindex", named.filter(is("noindex")), "No noindex pages."),
			part("Other reasons", named.filter((row) => !listed(row) && !broken(row) && !is("redirect", "noindex", "waiting")(row)), "No other URLs."),
			part("Missing from sitemap", bySitemap ? allRows((row) => listed(row) && !(given[row] & 2)) : [], bySitemap ? "The sitemap has every page that the crawl found by links." : "The crawl had no sitemap."),
		]);
	};

	const languageFaults = [
		["no self-referencing hreflang", "A page with hreflang links must also link to itself."],
		["no return link", "The other version must link back, or search engines ignore both links."],
		["links to a page that is not listed", "A language version must be a page that search engines may show."],
		["two URLs for one language", "Use one URL per language."],
	];

	const languages = (host) => list(host, {
		items: data.languages.map(([row, fault, other, language]) => ({ row: row - 1, fault, other: other - 1, language })),
		search: (item) => url[item.row] + " " + (item.other >= 0 ? url[item.other] : "") + " " + item.language,
		choices: {
			label: "Error",
			all: [["", "All errors"], ...languageFaults.map(([name], i) => [String(i), name])],
			of: (item) => String(item.fault),
		},
		empty: "No hreflang errors.",
		columns: [
			{ name: "Page", className: "half", by: (item) => item.row, cell: (item) => withTitle(item.row) },
			{ name: "Error", className: "half", by: (item) => item.fault, cell: (item) => [
				element("span", "tag warn", languageFaults[item.fault][0]), element("span", "title", languageFaults[item.fault][1])] },
			{ name: "Version", className: "half", by: (item) => item.other, cell: (item) => (item.other >= 0 ? address(url[item.other]) : "") },
			{ name: "Language", className: "short", label: "language", by: (item) => item.language, cell: (item) => element("bdi", "", item.language) },
		],
	});

	// tree shows the folders. A level is created when it is opened.
	const tree = (host) => {
		const folders = data.tree;
		const line = (tag, at) => {
			const [, name, total, good, dead] = folders[at];
			return element(tag, tag === "summary" ? "" : "leaf",
				element("bdi", "name", name ? name + "/" : "/"),
				element("span", "n bad", dead ? figure(dead) + " broken" : ""),
				element("span", "n listed", figure(good) + " listed"),
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
		host.replaceChildren(element("div", "tree", roots.map((root) => branch(root, roots.length === 1))));
	};

	// The URL fragment selects the part to show. A part is filled when it is first shown.

	const parts = { broken, redirects, addresses: every, duplicates, titles, gaps, languages, speed, canonical, tree };
	const filled = new Map();

	const show = () => {
		const [name, argument = ""] = location.hash.slice(1).split("/");
		const section = document.getElementById(name);
		const known = section && section.matches("main > section") ? name : "overview";
		for (const other of document.querySelectorAll("main > section")) other.hidden = other.id !== known;
		for (const link of document.querySelectorAll("nav a")) {
			if (link.hash === "#" + known) {
				link.setAttribute("aria-current", "page");
				link.scrollIntoView({ block: "nearest", inline: "center" });
			} else {
				link.removeAttribute("aria-current");
			}
		}
		if (Object.hasOwn(parts, known) && (!filled.has(known) || argument && filled.get(known) !== argument)) {
			parts[known](document.querySelector("#" + known + " .fill"), argument);
			filled.set(known, argument);
		}
		window.scrollTo(0, 0);
	};
	window.addEventListener("hashchange", show);
	show();
})();
