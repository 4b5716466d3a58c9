import { Routes } from "@angular/router";
import { NotFound } from "./not-found";
import { Page } from "./page";

export const routes: Routes = [
  { path: "start", redirectTo: "/welcome" },
  { path: "", pathMatch: "full", component: Page },
  ...["about", "help", "welcome", "topics/:topic", "articles/:article", "articles/:article/print", "drafts/:article"].map(
    (path) => ({ path, component: Page })),
  { path: "**", component: NotFound },
];
