import { element, links } from "/app.js";

export function render(page) {
  return [
    element("article", {}, element("h1", {}, page.title), ...page.paragraphs.map((text) => element("p", {}, text))),
    element("aside", {}, links(page)),
  ];
}
