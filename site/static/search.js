// Searches the pages of the site in an index that the build writes. It reads ?q= and keeps it up to date.
"use strict";
(() => {
	const form = document.getElementById("search-form");
	const field = document.getElementById("q");
	const count = document.getElementById("count");
	const results = document.getElementById("results");
	const most = 50;
	let pages = null;

	// plain returns a text without case and accents.
	const plain = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "");

	// load fetches the index, once.
	const load = async () => {
		if (pages) return;
		const response = await fetch(form.dataset.index);
		if (!response.ok) throw new Error(response.status);
		pages = (await response.json()).map((page) => ({
			...page,
			sections: page.sections || [],
			inTitle: plain(page.title),
			inAbout: plain(page.about),
			inText: plain(page.text),
		}));
	};

	// rate returns how well a page matches the words: 0 if one of them is missing.
	const rate = (page, words) => {
		let sum = 0;
		for (const word of words) {
			const headings = page.sections.filter(([, text]) => plain(text).includes(word)).length;
			const points = (page.inTitle === word ? 40 : 0) + (page.inTitle.includes(word) ? 20 : 0) +
				(page.inAbout.includes(word) ? 6 : 0) + Math.min(headings, 2) * 5 + (page.inText.includes(word) ? 1 : 0);
			if (points === 0) return 0;
			sum += points;
		}
		return sum;
	};

	// excerpt returns the text around the first word that only the text has, or what the page is about.
	const excerpt = (page, words) => {
		const word = words.find((w) => !page.inTitle.includes(w) && !page.inAbout.includes(w));
		const at = word ? page.text.toLowerCase().indexOf(word) : -1;
		if (at < 0) return page.about;
		const from = Math.max(0, page.text.lastIndexOf(" ", Math.max(0, at - 60)));
		return (from > 0 ? "…" : "") + page.text.slice(from, at + 100).trim() + "…";
	};

	// item returns a result as an element. The first heading with one of the words is where it leads.
	const item = (page, words) => {
		const section = page.sections.find(([, text]) => words.some((word) => plain(text).includes(word)));
		const link = document.createElement("a");
		const inSection = section && !words.every((word) => page.inTitle.includes(word));
		link.href = page.url + (inSection ? "#" + section[0] : "");
		link.textContent = (page.rule ? form.dataset.rule + " " : "") + page.title + (inSection ? " › " + section[1] : "");
		const about = document.createElement("span");
		about.textContent = excerpt(page, words);
		const element = document.createElement("li");
		element.append(link, " ", about);
		return element;
	};

	const show = async () => {
		const query = field.value.trim();
		history.replaceState(null, "", query ? "?q=" + encodeURIComponent(query) : location.pathname);
		const words = plain(query).split(/\s+/).filter(Boolean);
		results.replaceChildren();
		count.textContent = "";
		if (words.length === 0) return;
		try {
			await load();
		} catch {
			count.textContent = form.dataset.failed;
			return;
		}
		if (query !== field.value.trim()) return; // the reader has typed on
		const found = pages.map((page) => [rate(page, words), page]).filter(([points]) => points > 0);
		found.sort(([a], [b]) => b - a);
		count.textContent = found.length ? form.dataset.count.replace("%d", found.length) : form.dataset.none;
		results.replaceChildren(...found.slice(0, most).map(([, page]) => item(page, words)));
	};

	field.value = new URLSearchParams(location.search).get("q") || "";
	field.addEventListener("input", show);
	form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
	field.focus();
	show();
})();
