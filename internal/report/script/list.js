// A list is a table with search, filters, sorting and pages. Only the rows of one page
// are in the document.

const pageSize = 100;

// harmless keeps a text from becoming a formula in a spreadsheet.
const harmless = (value) => {
	const text = String(value).replace(/[\r\n\t]+$/, "");
	return typeof value !== "number" && (/^\s*::/.test(text) || /^[=+\-@\t\r\n＝＋－＠]/.test(text)) ? "'" + text : text;
};
// The cells of a table for spreadsheets, which may split them at semicolons and tabs too.
const csvCell = (value) => {
	const text = harmless(value);
	return /[",;\t\r\n]|^\s|\s$/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
};
const tabCell = (value) => harmless(value).replace(/[\t\r\n]/g, " ");

// table returns the cells of a list as lines, with a heading.
const tableOf = (items, columns, cell, between, end) => {
	const fields = columns.flatMap((column) => column.values);
	const line = (values) => values.map(cell).join(between) + end;
	return line(fields.map(([name]) => name)) + items.map((item) => line(fields.map(([, value]) => value(item)))).join("");
};

// download saves a table. Excel takes it for UTF-8 only after a byte order mark.
const download = (name, text) => {
	const link = element("a");
	link.href = URL.createObjectURL(new Blob(["\ufeff" + text], { type: "text/csv;charset=utf-8" }));
	link.download = name;
	link.click();
	setTimeout(() => URL.revokeObjectURL(link.href), 60000);
};

// copy puts a text on the clipboard. Pages from files may not have navigator.clipboard.
const copy = (text) => {
	const byCommand = () => {
		const field = element("textarea");
		field.value = text;
		(document.querySelector("dialog[open]") || document.body).append(field);
		field.select();
		document.execCommand("copy");
		field.remove();
	};
	return navigator.clipboard ? navigator.clipboard.writeText(text).catch(byCommand) : Promise.resolve(byCommand());
};

// exportTools returns buttons to copy and to save items, and says in found that it did.
const exportTools = (name, items, columns, found) => [
	button(say("copy"), "", () => {
		copy(tableOf(items(), columns, tabCell, "\t", "\n")).then(() => (found.textContent = say("copied")));
	}),
	button(say("csv"), "", () => download(name + ".csv", tableOf(items(), columns, csvCell, data.separator, "\r\n"))),
];

// list shows items. A column has a name, a cell for an item, values for exports, each
// with a name, and maybe a key to sort by. A filter has a label, values with texts, and
// tells whether an item fits a value.
const list = (host, { name, items, columns, filters = [], empty, chosen = {} }) => {
	let shown = items, order = null, backwards = false, first = 0;
	const body = element("tbody");
	const found = element("span", "found");
	found.setAttribute("role", "status");
	const pager = element("div", "pager");
	const field = element("input");
	field.type = "search";
	field.placeholder = say("search");
	field.setAttribute("aria-label", say("search-list"));
	field.autocomplete = "off";
	field.spellcheck = false;

	const draw = () => {
		body.replaceChildren(...shown.slice(first, first + pageSize).map((item) => element("tr", "", columns.map((column) => {
			const cell = element("td", column.className, column.cell(item));
			if (column.label) cell.dataset.name = column.label;
			return cell;
		}))));
		found.textContent = shown.length === items.length ? figure(shown.length) : say("of", figure(shown.length), figure(items.length));
		table.hidden = shown.length === 0;
		nothing.hidden = shown.length > 0;
		pager.hidden = shown.length <= pageSize;
		previousPage.disabled = first === 0;
		nextPage.disabled = first + pageSize >= shown.length;
		range.textContent = say("range", figure(first + 1), figure(Math.min(first + pageSize, shown.length)), figure(shown.length));
	};
	const turn = (to) => {
		first = to;
		draw();
		host.closest("section").scrollIntoView();
	};
	const previousPage = button(say("previous"), "", () => turn(Math.max(0, first - pageSize)));
	const nextPage = button(say("next"), "", () => turn(first + pageSize));
	const range = element("span");
	pager.append(previousPage, range, nextPage);

	const texts = (item) => columns.flatMap((column) => column.values.map(([, value]) => value(item))).join(" ").toLowerCase();
	const pick = () => {
		const wanted = field.value.trim().toLowerCase();
		shown = items;
		for (const { filter, select } of selects) {
			if (select.value !== "") shown = shown.filter((item) => filter.fits(item, select.value));
		}
		if (wanted) shown = shown.filter((item) => texts(item).includes(wanted));
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
	const selects = filters.filter((filter) => filter.values.length > 1).map((filter) => {
		const select = element("select", "", [["", filter.all], ...filter.values].map(([value, text]) => {
			const option = element("option", "", text);
			option.value = value;
			return option;
		}));
		select.setAttribute("aria-label", filter.label);
		select.value = chosen[filter.label] ?? "";
		if (select.selectedIndex < 0) select.value = "";
		select.addEventListener("change", pick);
		return { filter, select };
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
	const nothing = element("p", "empty", items.length ? say("no-matches") : empty || say("no-matches"));
	const tools = element("div", "tools", field, selects.map(({ select }) => select), found,
		element("span", "exports", exportTools(name, () => shown, columns, found)));
	tools.hidden = items.length === 0;
	host.replaceChildren(tools, table, nothing, pager);
	pick();
};

// tabs shows one of several lists: the chosen one, or the first that has entries.
const tabs = (host, parts, chosen) => {
	const row = element("div", "tabs"), under = element("div");
	const show = (part) => {
		for (const other of row.children) other.setAttribute("aria-pressed", String(other === part.button));
		part.show(under);
	};
	for (const part of parts) {
		part.button = button([part.name, " ", element("span", "count", figure(part.count))], "", () => show(part));
		row.append(part.button);
	}
	host.replaceChildren(row, under);
	show(parts.find((part) => part.id === chosen) || parts.find((part) => part.count > 0) || parts[0]);
};
