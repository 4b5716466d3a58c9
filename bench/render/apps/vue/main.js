import { createApp } from "vue";
import { createRouter, createWebHistory } from "vue-router";
import App from "./App.vue";
import NotFound from "./NotFound.vue";
import Page from "./Page.vue";

const routes = [
  { path: "/start", redirect: "/welcome" },
  { path: "/topics/:topic", component: Page },
  { path: "/articles/:article/:print(print)?", component: Page },
  { path: "/drafts/:article", component: Page },
  ...["/", "/about", "/help", "/welcome"].map((path) => ({ path, component: Page })),
  { path: "/:rest(.*)*", component: NotFound },
];

createApp(App).use(createRouter({ history: createWebHistory(), routes })).mount("#app");
