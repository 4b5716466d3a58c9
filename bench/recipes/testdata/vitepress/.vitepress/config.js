export default {
  title: "Harbour",
  base: "/docs/",
  cleanUrls: true,
  lastUpdated: true,
  transformHead: ({ pageData }) => pageData.lastUpdated
    ? [["meta", { property: "article:modified_time", content: new Date(pageData.lastUpdated).toISOString() }]]
    : [],
  sitemap: { hostname: "https://example.com/docs/" },
  srcExclude: ["draft.md"],
  themeConfig: {
    sidebar: [
      { text: "Home", link: "/" },
      { text: "Guide", link: "/guide/" },
      { text: "Before you travel", link: "/guide/setup" },
    ],
  },
};
