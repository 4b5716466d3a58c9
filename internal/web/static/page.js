// Enhancements of pages that work without them.

// Times are in the zone of the browser, in its form of the language of the page: short, and in full as the title. One
// that shows a span, such as "5 minutes ago", keeps it.
const { lang } = document.documentElement, locale = navigator.languages.find((l) => l.startsWith(lang)) || lang;
const timeForm = { year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" };
const shortForm = { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" };
const localizeTimes = (place) => {
	for (const time of place.querySelectorAll("time")) {
		const when = new Date(time.dateTime), year = when.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" };
		if (!time.title) time.textContent = when.toLocaleString(locale, { ...shortForm, ...year });
		time.title = when.toLocaleString(locale, timeForm);
	}
};
localizeTimes(document);

// The page of a URL opens over the list that links to it.
const dialog = document.getElementById("dialog");

const openPanel = async (address) => {
	const response = await fetch(address, { headers: { Accept: "text/html" } });
	const page = new DOMParser().parseFromString(await response.text(), "text/html");
	const panel = page.querySelector("article.panel");
	if (!response.ok || !panel) {
		location.assign(address);
		return;
	}
	const place = dialog.lastElementChild;
	place.replaceChildren(document.importNode(panel, true));
	localizeTimes(place);
	dialog.setAttribute("aria-label", panel.dataset.title);
	if (!dialog.open) dialog.showModal();
	dialog.scrollTo(0, 0);
};

document.addEventListener("click", (event) => {
	const link = event.target.closest("a[data-panel]");
	if (!dialog || !link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
	event.preventDefault();
	openPanel(link.href).catch(() => location.assign(link.href));
});
dialog?.addEventListener("click", (event) => {
	if (event.target === dialog) dialog.close();
});

// A list follows its filters while they are typed and chosen.
for (const form of document.querySelectorAll("form[data-update]")) {
	let waits = 0, last = 0;
	const update = async () => {
		const number = ++last;
		const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ""));
		const address = `${location.pathname}?${query}`;
		const response = await fetch(address);
		if (!response.ok || number !== last) return;
		const page = new DOMParser().parseFromString(await response.text(), "text/html");
		const found = page.getElementById(form.dataset.update);
		if (!found || number !== last) return;
		const status = document.querySelector(`#${form.dataset.update} [role=status]`);
		const said = found.querySelector("[role=status]");
		if (status && said) { // the element must stay for screen readers to notice
			status.textContent = said.textContent;
			said.replaceWith(status);
		}
		document.getElementById(form.dataset.update).replaceChildren(...[...found.childNodes].map((n) => document.adoptNode(n)));
		history.replaceState(null, "", address);
	};
	form.addEventListener("input", (event) => {
		clearTimeout(waits);
		waits = setTimeout(() => update().catch(() => {}), event.target.type === "search" ? 250 : 0);
	});
}

// On a phone the parts of a result are in one line, which scrolls.
document.querySelector(".parts [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });

// What an answer begins with gets the focus, so that screen readers begin there too.
document.querySelector("[data-focus], [role=alert]")?.focus?.();

// A link can be copied, and passed on where the browser can do that.
for (const actions of document.querySelectorAll("[data-link]")) {
	const field = document.getElementById(actions.dataset.link), status = actions.querySelector("[role=status]");
	const share = actions.querySelector("[data-share]");
	actions.querySelector("[data-copy]").addEventListener("click", async () => {
		field.select();
		try {
			await navigator.clipboard.writeText(field.value);
		} catch { // not over http
			if (!document.execCommand("copy")) return;
		}
		status.textContent = status.dataset.copied;
	});
	share.addEventListener("click", () => navigator.share({ title: actions.dataset.title, url: field.value }).catch(() => {}));
	share.hidden = !navigator.share;
	actions.hidden = false;
}

// A file or an address is enough.
const file = document.querySelector("input[type=file]"), address = document.getElementById("url");
file?.addEventListener("change", () => { if (address && file.files.length) address.value = ""; });

// The menu closes like others.
const more = document.querySelector(".more");
document.addEventListener("click", (event) => {
	if (more && !more.contains(event.target)) more.open = false;
});
document.addEventListener("keydown", (event) => {
	if (event.key !== "Escape" || !more?.open) return;
	more.open = false;
	more.firstElementChild.focus();
});
