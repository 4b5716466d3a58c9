export const posts = [
  { slug: "first-boat", title: "The first boat", text: "The first boat leaves at six." },
  { slug: "not-finished", title: "Not finished", text: "A draft.", draft: true },
];
