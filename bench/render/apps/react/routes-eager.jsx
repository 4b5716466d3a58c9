import { Layout, Moved, NotFound } from "./layout.jsx";
import { Component as Article } from "./article.jsx";
import { Component as List } from "./list.jsx";
import { Component as Plain } from "./plain.jsx";

export const routes = [{
  Component: Layout,
  children: [
    { path: "/start", Component: Moved },
    { path: "/topics/:topic", Component: List },
    { path: "/articles/:article", Component: Article },
    { path: "/articles/:article/print", Component: Article },
    { path: "/drafts/:article", Component: Article },
    ...["/", "/about", "/help", "/welcome"].map((path) => ({ path, Component: Plain })),
    { path: "*", Component: NotFound },
  ],
}];
