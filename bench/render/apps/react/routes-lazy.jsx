import { Layout, Moved, NotFound } from "./layout.jsx";

const article = () => import("./article.jsx");
const list = () => import("./list.jsx");
const plain = () => import("./plain.jsx");

export const routes = [{
  Component: Layout,
  HydrateFallback: () => null,
  children: [
    { path: "/start", Component: Moved },
    { path: "/topics/:topic", lazy: list },
    { path: "/articles/:article", lazy: article },
    { path: "/articles/:article/print", lazy: article },
    { path: "/drafts/:article", lazy: article },
    ...["/", "/about", "/help", "/welcome"].map((path) => ({ path, lazy: plain })),
    { path: "*", Component: NotFound },
  ],
}];
