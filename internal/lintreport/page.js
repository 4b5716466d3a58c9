// Shows the findings that match a search and the chosen severity, rule and file. Without
// it the page shows all of them. It reads texts of the page and writes only counts.
(() => {
	"use strict";

	const form = document.getElementById("filter");
	if (!form) return;
	const { search, severity, rule, file } = form.elements;
	const shown = document.getElementById("shown");
	const sections = [...document.querySelectorAll("main > section")].map((section) => ({
		section,
		entry: document.querySelector(`nav a[href="#${section.id}"]`).parentElement,
		details: section.querySelector("details"),
		findings: [...section.querySelectorAll(".findings > li")].map((item) => ({
			item,
			file: item.dataset.file,
			text: (section.id + " " + item.textContent).toLowerCase(),
		})),
	}));
	const total = sections.reduce((sum, { findings }) => sum + findings.length, 0);
	const figures = new Intl.NumberFormat(document.documentElement.lang);

	const apply = () => {
		const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
		const active = [...words, severity.value, rule.value, file.value].some(Boolean);
		let count = 0;
		for (const { section, entry, details, findings } of sections) {
			const fits =
				(!severity.value || section.classList.contains(severity.value)) && (!rule.value || section.id === rule.value);
			let found = 0;
			for (const finding of findings) {
				const visible =
					fits && (!file.value || finding.file === file.value) && words.every((word) => finding.text.includes(word));
				finding.item.hidden = !visible;
				if (visible) found++;
			}
			section.hidden = entry.hidden = active && found === 0;
			if (details) details.open = active;
			count += found;
		}
		shown.textContent = active ? form.dataset.of.replace("%1", figures.format(count)).replace("%2", figures.format(total)) : "";
	};

	form.addEventListener("input", apply);
	form.addEventListener("reset", () => setTimeout(apply));
	form.addEventListener("submit", (event) => event.preventDefault());
	form.hidden = false;
	apply(); // a browser keeps what was chosen when it reloads the page
})();
