// The API, and the head of the document, for every application that shows its content.

export const notFoundTitle = "Page not found";

// load returns the content of a route, or null where the API has none.
export async function load(path, query) {
  const response = await fetch("/api/pages" + (path === "/" ? "/index" : path) + ".json" + query);
  if (response.status === 404) return null;
  if (!response.ok) throw new Error("the API answered " + response.status);
  return response.json();
}

// setHead sets the title and the elements of the head for a page, or for a missing one.
export function setHead(page) {
  document.title = page ? page.title : notFoundTitle;
  setElement("link", "rel", "canonical", "href", page && location.origin + page.canonical);
  setElement("meta", "name", "robots", "content", page && page.robots);
  setElement("meta", "property", "article:modified_time", "content", page && page.modified);
}

function setElement(element, key, name, attribute, value) {
  document.head.querySelector(`${element}[${key}="${name}"]`)?.remove();
  if (!value) return;
  const added = document.createElement(element);
  added.setAttribute(key, name);
  added.setAttribute(attribute, value);
  document.head.append(added);
}
