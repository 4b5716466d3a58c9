// Searches the pages of the site in an index that the build writes. It reads ?q= and keeps it up to date.
"use strict";
(() => {
	const form = document.getElementById("search-form");
	const field = document.getElementById("q");
	const count = document.getElementById("count");
	const results = document.getElementById("results");
	const most = 50;
	let pages = null;

	// plain returns a text without case and accents, with the quotation marks and hyphens of a keyboard.
	const plain = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "")
		.replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"').replace(/[\u2010-\u2015]/g, "-");

	// load fetches the index, once.
	const load = async () => {
		if (pages) return;
		const response = await fetch(form.dataset.index);
		if (!response.ok) throw new Error(response.status);
		pages = (await response.json()).map((page) => ({
			...page,
			sections: (page.sections || []).map((section) => ({ ...section, plain: plain(section.text) })),
			inTitle: plain(page.title),
			inAbout: plain(page.about),
			inText: plain(page.text),
			words: plain(page.words || "").split(", ").filter(Boolean),
		}));
	};

	// has returns how well a text has a word: 2 as a word of its own, 1 as a part of one, else 0.
	const has = (text, word) => {
		for (let at = text.indexOf(word), best = 0; ; at = text.indexOf(word, at + 1)) {
			if (at < 0) return best;
			best = 1;
			if (!/[\p{L}\p{N}_-]/u.test((text[at - 1] || " ") + (text[at + word.length] || " "))) return 2;
		}
	};

	// rate returns how well a page matches a query and its words: 0 if it lacks one of them.
	const rate = (page, query, words) => {
		let sum = 0;
		for (const word of words) {
			const headings = page.sections.reduce((most, { plain }) => Math.max(most, has(plain, word)), 0);
			const listed = page.words.reduce((most, phrase) => Math.max(most, has(phrase, word)), 0);
			const points = has(page.inTitle, word) * 10 + listed * 8 + headings * 4 + has(page.inAbout, word) * 3 +
				has(page.inText, word);
			if (points === 0) return 0;
			sum += points;
		}
		if (page.words.includes(query)) sum += 100; // this page is the answer
		if (page.inTitle === query) sum += 40;
		if (has(page.inTitle, query) === 2) sum += 20;
		if (page.sections.some(({ plain }) => plain.startsWith(query))) sum += 15;
		return page.other ? sum * 0.6 : sum;
	};

	// excerpt returns the text around the first word that only the text has, or what the page is about.
	const excerpt = (page, words) => {
		const word = words.find((w) => !page.inTitle.includes(w) && !page.inAbout.includes(w));
		const at = word ? page.text.toLowerCase().indexOf(word) : -1;
		if (at < 0) return page.about;
		const from = Math.max(0, page.text.lastIndexOf(" ", Math.max(0, at - 60)));
		return (from > 0 ? "…" : "") + page.text.slice(from, at + 100).trim() + "…";
	};

	// sectionOf returns the section of a page that is named as the query or has most of its words, undefined if the title
	// has them or no section does.
	const sectionOf = (page, query, words) => {
		const named = page.sections.find((section) => section.plain === query);
		if (named || words.every((word) => page.inTitle.includes(word))) return named;
		let best, most = 0;
		for (const section of page.sections) {
			const points = words.reduce((sum, word) => sum + has(section.plain, word), 0);
			if (points > most) [best, most] = [section, points];
		}
		return best;
	};

	// item returns a result as an element. It leads to the section that has the words.
	const item = (page, query, words) => {
		const section = sectionOf(page, query, words);
		const link = document.createElement("a");
		link.href = page.url + (section ? "#" + section.id : "");
		link.textContent = (page.rule ? form.dataset.rule + " " : "") + page.title + (section ? " › " + section.text : "") +
			(page.other ? " (" + form.dataset.other + ")" : "");
		if (page.other) link.hreflang = "en";
		const about = document.createElement("span");
		about.textContent = excerpt(page, words);
		if (page.other) about.lang = "en";
		const element = document.createElement("li");
		element.append(link, " ", about);
		return element;
	};

	const show = async () => {
		const typed = field.value.trim();
		history.replaceState(null, "", typed ? "?q=" + encodeURIComponent(typed) : location.pathname);
		const words = plain(typed).split(/[\s"]+/).filter(Boolean);
		results.replaceChildren();
		count.textContent = "";
		if (words.length === 0) return;
		try {
			await load();
		} catch {
			count.textContent = form.dataset.failed;
			return;
		}
		if (typed !== field.value.trim()) return; // the reader has typed on
		const query = words.join(" ");
		const found = pages.map((page) => [rate(page, query, words), page]).filter(([points]) => points > 0);
		found.sort(([a], [b]) => b - a);
		count.textContent = found.length ? form.dataset.count.replace("%d", found.length) : form.dataset.none;
		results.replaceChildren(...found.slice(0, most).map(([, page]) => item(page, query, words)));
	};

	field.value = new URLSearchParams(location.search).get("q") || "";
	field.addEventListener("input", show);
	form.addEventListener("submit", (event) => { event.preventDefault(); show(); });
	field.focus();
	show();
})();
