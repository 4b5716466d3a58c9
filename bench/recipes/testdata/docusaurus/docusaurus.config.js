module.exports = {
  title: "Harbour",
  url: "https://example.com",
  baseUrl: "/docs/",
  onBrokenLinks: "warn",
  presets: [["classic", {
    docs: { routeBasePath: "/", showLastUpdateTime: true },
    blog: { onUntruncatedBlogPosts: "ignore" },
  }]],
  plugins: [["@docusaurus/plugin-client-redirects", { redirects: [{ from: "/timetable", to: "/guide/setup" }] }]],
};
