// The page of a crawl that runs, kept up to date by server-sent events. Without this
// script the page loads itself again every few seconds.

const root = document.querySelector("[data-live]");
const texts = JSON.parse(root.dataset.texts);
const language = document.documentElement.lang;
const slot = (name) => root.querySelector(`[data-slot="${name}"]`);

const numbers = new Intl.NumberFormat(language);
const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });
const unit = (n, name) => new Intl.NumberFormat(language, { style: "unit", unit: name, unitDisplay: "long" }).format(n);
const duration = (seconds) => (seconds <= 90 ? unit(Math.ceil(seconds), "second")
	: seconds <= 5400 ? unit(Math.ceil(seconds / 60), "minute") : unit(Math.ceil(seconds / 3600), "hour"));
const size = (n) => (n < 1e6 ? `${numbers.format(Math.round(n / 1000))} KB` : n < 1e9 ? `${tenths.format(n / 1e6)} MB`
	: `${tenths.format(n / 1e9)} GB`);

// say replaces each %s of a text by the next value.
const say = (text, ...values) => text.replace(/%s/g, () => values.shift());

// readable decodes the letters of an address beyond ASCII, as browsers show them.
const readable = (address) => address.replace(/(%[89A-F][0-9A-F])+/gi, (escapes) => {
	try {
		const text = decodeURIComponent(escapes);
		return /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u.test(text) ? text : escapes;
	} catch {
		return escapes; // not UTF-8
	}
});

// Only this many problems are in the document. The result has all.
const maxProblems = 500;
const maxDepths = 30;

const clone = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);

const showCounts = (counts) => {
	for (const [name, count] of Object.entries(counts)) {
		const place = root.querySelector(`[data-count="${name}"]`);
		if (!place) continue;
		place.textContent = numbers.format(count);
		const { tone } = place.parentNode.dataset;
		if (tone) place.parentNode.classList.toggle(tone, count > 0);
	}
	if (slot("bytes")) slot("bytes").textContent = size(counts.bytes);
};

const showDepths = (depths) => {
	const most = Math.max(1, ...depths), body = slot("depths");
	depths.slice(0, maxDepths).forEach((count, depth) => {
		const row = body.rows[depth] || body.appendChild(clone("depth"));
		row.cells[0].textContent = depth ? String(depth) : texts.start;
		row.querySelector("rect").setAttribute("width", count ? Math.max(0.5, (100 * count) / most).toFixed(1) : 0);
		row.cells[2].textContent = numbers.format(count);
	});
};

// After a lost connection the server sends all problems again.
const known = new Set();

const showProblems = (problems, broken) => {
	const list = slot("problems");
	for (const problem of problems) {
		if (known.has(problem.url)) continue;
		known.add(problem.url);
		const line = clone("problem");
		const [url, on] = line.querySelectorAll(".address");
		line.querySelector(".tag").textContent = problem.status ? String(problem.status) : texts.none;
		url.textContent = readable(problem.url);
		on.textContent = readable(problem.on || "");
		on.parentNode.hidden = !problem.on;
		list.prepend(line);
	}
	while (list.children.length > maxProblems) list.lastElementChild.remove();
	slot("no-problems").hidden = list.children.length > 0 || broken > 0;
};

// Without a total, the end is not known yet.
const showProgress = ({ counts, total, step }) => {
	const bar = slot("progress");
	if (total) {
		bar.max = total;
		bar.value = Math.min(counts.pages, total);
	} else {
		bar.removeAttribute("value");
	}
	const share = total ? `${Math.floor((100 * Math.min(counts.pages, total)) / total)} % · ` : "";
	document.title = share + (counts.broken ? `${numbers.format(counts.broken)} ● ` : "") + texts.title;
	slot("step").textContent = say(texts[step] || texts.begin, numbers.format(counts.pages + counts.waiting));
};

// A screen reader hears how it goes four times a minute, not at every page.
let spoken = 0;
const speak = (counts) => {
	if (Date.now() - spoken < 15000) return;
	spoken = Date.now();
	slot("said").textContent = say(texts.said, numbers.format(counts.pages), numbers.format(counts.broken));
};

const show = (update) => {
	if (update.state !== texts.state) {
		location.reload(); // other buttons, or the result
		return;
	}
	showCounts(update.counts);
	if (!slot("progress")) return; // it does not run
	showProgress(update);
	showDepths(update.depths || []);
	showProblems(update.problems || [], update.counts.broken);
	slot("rate").textContent = update.rate ? say(texts.rate, tenths.format(update.rate)) : "–";
	slot("left").textContent = update.left ? duration(update.left) : "";
	slot("left").parentNode.hidden = !update.left;
	slot("url").textContent = readable(update.url || "–");
	speak(update.counts);
};

// What a page without a connection shows is old.
const showLost = (lost) => {
	slot("lost").hidden = !lost;
	root.classList.toggle("lost", lost);
	slot("state").textContent = lost ? texts.lost : texts.running;
};

// The events have the problems that the page had when it was made.
if (slot("progress")) slot("problems").replaceChildren();
let events, last = "";
const connect = () => {
	events = new EventSource(`${root.dataset.live}${last && `?after=${last}`}`);
	events.addEventListener("progress", (event) => {
		last = event.lastEventId;
		show(JSON.parse(event.data));
	});
	events.addEventListener("end", () => {
		events.close();
		location.reload();
	});
	events.addEventListener("open", () => showLost(false));
	events.addEventListener("error", () => {
		showLost(true);
		if (events.readyState === EventSource.CLOSED) setTimeout(connect, 5000); // a proxy answers for the server
	});
};
connect();
for (const name of ["submit", "pagehide"]) window.addEventListener(name, () => events.close());
