export default defineNuxtConfig({
  modules: ["@nuxtjs/sitemap"],
  site: { url: "https://example.com" },
  routeRules: { "/timetable": { redirect: "/guide/setup" } },
  app: { head: { htmlAttrs: { lang: "en" } } },
  telemetry: false,
});
