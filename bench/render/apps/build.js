// Builds the applications into dist: one folder each, and two more ways to build that for React.

import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { transformAsync } from "@babel/core";
import { createEs2015LinkerPlugin } from "@angular/compiler-cli/linker/babel";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import vue from "@vitejs/plugin-vue";
import { build } from "vite";

// linkAngular does what Angular's own builder does: the packages are published half compiled.
const linkAngular = {
  name: "link-angular",
  async transform(code, id) {
    if (!id.includes("@angular") || !code.includes("ɵɵngDeclare")) return null;
    const logger = { level: 1, debug() {}, info() {}, warn: console.warn, error: console.error };
    const linker = createEs2015LinkerPlugin({ fileSystem: { resolve }, logger, linkerJitMode: false });
    return transformAsync(code, { filename: id, plugins: [linker], configFile: false, babelrc: false, compact: false });
  },
};

const applications = {
  react: { root: "react" },
  "react-lazy": { root: "react" },
  "react-notfound": { root: "react" },
  vue: { root: "vue", plugins: [vue()] },
  preact: { root: "preact", jsx: "preact" },
  svelte: { root: "svelte", plugins: [svelte()] },
  angular: { root: "angular", plugins: [linkAngular] },
};

execFileSync("node_modules/.bin/ngc", ["-p", "angular"], { stdio: "inherit" });
for (const [mode, { root, plugins, jsx = "react" }] of Object.entries(applications)) {
  const routes = mode === "react-lazy" ? "routes-lazy.jsx" : "routes-eager.jsx";
  await build({
    configFile: false,
    logLevel: "error",
    mode,
    define: { ngDevMode: "false", ngJitMode: "false" },
    root: resolve(root),
    plugins,
    oxc: { jsx: { runtime: "automatic", importSource: jsx } },
    resolve: { alias: { routes: resolve(root, routes), content: resolve("content.js") } },
    build: { outDir: resolve("dist", mode), emptyOutDir: true },
  });
}
