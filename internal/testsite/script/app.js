// A router and its layout, without a library.

import { load, notFoundTitle, setHead } from "/content.js";

const notFoundRoute = "/not-found";

const routes = [
  [/^\/(about|help|welcome)?$/, "plain"],
  [/^\/topics\/[^/]+$/, "list"],
  [/^\/(articles|drafts)\/[^/]+(\/print)?$/, "article"],
];

// element returns an element with attributes and children.
export function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// links returns a list of links.
export function links(page) {
  return element("ul", {}, ...(page.links ?? []).map(({ path, text }) =>
    element("li", {}, element("a", { href: path }, text))));
}

// start shows the route of the address. views returns the module of a view by its name.
export function start(views) {
  const main = element("main", {}, "Loading");
  const menu = [["/", "Home"], ["/about", "About"], ["/help", "Help"], ["/start", "Start here"]];
  document.querySelector("#app").append(
    element("nav", {}, ...menu.map(([path, text]) => element("a", { href: path }, text))), main);

  const show = async () => {
    if (location.pathname === "/start") history.pushState(null, "", "/welcome");
    const [, view] = routes.find(([pattern]) => pattern.test(location.pathname)) ?? [];
    const address = location.href;
    const [page, module] = view
      ? await Promise.all([load(location.pathname, location.search), views(view)]) : [null, null];
    if (address !== location.href) return;
    if (!page && "notFoundRoute" in document.documentElement.dataset) history.replaceState(null, "", notFoundRoute);
    setHead(page);
    main.replaceChildren(...(page ? module.render(page) : [
      element("h1", {}, notFoundTitle), element("p", {}, "There is no page at this address.")]));
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || link.origin !== location.origin) return;
    event.preventDefault();
    history.pushState(null, "", link.href);
    show();
  });
  addEventListener("popstate", show);
  show();
}
