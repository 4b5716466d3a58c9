// Adds a button to each block of code that copies it. Of a console, it copies the commands without their prompts and
// without what they print.
"use strict";
(() => {
	const { copy, copied } = document.currentScript.dataset;

	// commands returns what to type in a console: lines after a prompt, and those that continue them.
	const commands = (text) => {
		const lines = [];
		let continued = false;
		for (const line of text.split("\n")) {
			if (line.startsWith("$ ")) lines.push(line.slice(2));
			else if (continued) lines.push(line);
			continued = line.endsWith("\\") && (continued || line.startsWith("$ "));
		}
		return lines.join("\n");
	};

	for (const block of document.querySelectorAll("main pre")) {
		const code = block.querySelector("code");
		const isConsole = code && code.dataset.lang === "console";
		const text = () => (isConsole ? commands(block.textContent) : block.textContent.trimEnd());
		if (!code || code.dataset.lang === "diff" || !text()) continue;
		const button = document.createElement("button");
		button.type = "button";
		button.className = "copy";
		button.textContent = copy;
		button.addEventListener("click", async () => {
			await navigator.clipboard.writeText(text());
			button.textContent = copied;
			setTimeout(() => { button.textContent = copy; }, 2000);
		});
		const frame = document.createElement("div");
		frame.className = "code";
		block.replaceWith(frame);
		frame.append(block, button);
	}
})();
