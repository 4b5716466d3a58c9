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

// tableOf returns the values of a list as lines, with a heading.
const tableOf = (items, columns, cell, between, end) => {
	const fields = columns.flatMap((column) => column.values);
	const line = (values) => values.map(cell).join(between) + end;
	return line(fields.map(([name]) => name)) + items.map((item) => line(fields.map(([, value]) => value(item)))).join("");
};

// download saves a table. Excel takes it for UTF-8 only after a byte order mark.
const download = (name, text) => {
	const href = URL.createObjectURL(new Blob(["\ufeff" + text], { type: "text/csv;charset=utf-8" }));
	Object.assign(element("a"), { href, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(href), 60000);
};

// copy puts a text on the clipboard. Pages from files may not have navigator.clipboard.
const copy = async (text) => {
	if (navigator.clipboard && await navigator.clipboard.writeText(text).then(() => true, () => false)) return;
	const field = element("textarea", "", text);
	document.body.append(field);
	field.select();
	document.execCommand("copy");
	field.remove();
};

// newList returns the elements of a list, whose buttons copy and save items.
const newList = (name, items, columns) => {
	const made = document.getElementById("list").content.cloneNode(true);
	const [copies, saves] = made.querySelectorAll(".exports button"), found = made.querySelector(".found");
	copies.addEventListener("click", async () => {
		await copy(tableOf(items(), columns, tabCell, "\t", "\n"));
		found.textContent = say("copied");
	});
	saves.addEventListener("click", () => download(name + ".csv", tableOf(items(), columns, csvCell, data.separator, "\r\n")));
	return made.children;
};

// list shows items. A column has a name, a cell for an item, what it is sorted by, and values for exports, each with a
// name. The function fits of a filter tells whether an item has a value.
const list = (host, { name, items, columns, filters = [], chosen = {} }) => {
	let shown = items, order = null, backwards = false, first = 0, waits = 0;
	const [tools, table, nothing, pager] = newList(name, () => shown, columns);
	host.replaceChildren(tools, table, nothing, pager);
	const field = tools.querySelector("input"), found = tools.querySelector(".found");
	const [previousPage, range, nextPage] = pager.children;
	const draw = () => {
		const end = Math.min(first + pageSize, shown.length);
		table.tBodies[0].replaceChildren(...shown.slice(first, end).map((item) => element("tr", "", columns.map((column) => {
			const cell = element("td", column.className, column.cell(item));
			if (column.label) cell.dataset.name = column.label;
			return cell;
		}))));
		found.textContent = shown.length === items.length ? figure(items.length) : say("of", figure(shown.length), figure(items.length));
		range.textContent = say("range", figure(first + 1), figure(end), figure(shown.length));
		nothing.hidden = shown.length > 0;
		table.hidden = !nothing.hidden;
		pager.hidden = shown.length <= pageSize;
		previousPage.disabled = first === 0;
		nextPage.disabled = end === shown.length;
	};
	pager.addEventListener("click", ({ target }) => {
		if (target === range) return;
		first += target === nextPage ? pageSize : target === previousPage ? -pageSize : 0;
		draw();
		host.closest("section").scrollIntoView();
	});
	const selects = filters.filter(({ values, least = 2 }) => values.length >= least).map((filter) => {
		const select = element("select", "", [["", filter.all], ...filter.values].map(([value, text]) =>
			new Option(text, value, false, value === chosen[filter.key])));
		select.setAttribute("aria-label", filter.label);
		return { filter, select };
	});
	found.before(...selects.map(({ select }) => select));

	const pick = () => {
		const wanted = field.value.trim().toLowerCase(), values = columns.flatMap((column) => column.values);
		shown = items;
		for (const { filter, select } of selects) {
			if (select.value !== "") shown = shown.filter((item) => filter.fits(item, select.value));
		}
		if (wanted) shown = shown.filter((item) => values.some(([, value]) => String(value(item)).toLowerCase().includes(wanted)));
		if (order) {
			const key = new Map(shown.map((item) => [item, order.by(item)]));
			const compare = (x, y) => (x === "") - (y === "") || (x < y ? -1 : x > y ? 1 : 0) * (backwards ? -1 : 1);
			shown = [...shown].sort((a, b) => compare(key.get(a), key.get(b)));
		}
		first = 0;
		draw();
	};
	field.addEventListener("input", () => {
		clearTimeout(waits);
		waits = setTimeout(pick, 120);
	});
	tools.addEventListener("change", pick);
	const head = table.tHead.rows[0];
	head.append(...columns.map((column) => {
		const cell = element("th", column.className, button(column.name, () => {
			backwards = order === column ? !backwards : column.down === true;
			order = column;
			for (const other of head.cells) other.removeAttribute("aria-sort");
			cell.setAttribute("aria-sort", backwards ? "descending" : "ascending");
			pick();
		}));
		cell.scope = "col";
		return cell;
	}));
	tools.hidden = items.length === 0;
	pick();
};
