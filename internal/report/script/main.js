// The URL fragment selects the part to show, and the panel over it. A part is filled when
// it is first shown.

const parts = { addresses: every, tree };
for (const part of data.parts) parts[part.id] = rules(part);

const filled = new Map();
const sections = [...document.querySelectorAll("main > section")];
let current = "";

const showPart = (name, argument) => {
	current = sections.some((section) => section.id === name && name !== "pages") ? name : "overview";
	for (const section of sections) section.hidden = section.id !== current;
	for (const link of document.querySelectorAll("nav a")) {
		if (link.hash === "#" + current) {
			link.setAttribute("aria-current", "page");
			link.scrollIntoView({ block: "nearest", inline: "center" });
		} else {
			link.removeAttribute("aria-current");
		}
	}
	if (Object.hasOwn(parts, current) && (!filled.has(current) || argument && filled.get(current) !== argument)) {
		parts[current](document.querySelector("#" + current + " .fill"), argument);
		filled.set(current, argument);
	}
	window.scrollTo(0, 0);
};

const show = () => {
	const [name, argument = ""] = location.hash.slice(1).split("/");
	if (name === "page") {
		if (!current) showPart("addresses", "");
		openPanel(Number(argument) - 1);
		return;
	}
	if (panel.open) panel.close();
	if (!current || name !== current || argument) showPart(name, argument);
};

panel.querySelector(".close").addEventListener("click", () => panel.close());
panel.addEventListener("click", (event) => {
	if (event.target === panel) panel.close();
});
panel.addEventListener("close", () => {
	if (location.hash.startsWith("#page/")) history.replaceState(null, "", "#" + current);
});
window.addEventListener("hashchange", show);
show();
