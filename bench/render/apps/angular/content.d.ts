declare module "content" {
  interface Content {
    title: string;
    paragraphs: string[];
    links: { path: string; text: string }[] | null;
  }
  const notFoundTitle: string;
  function load(path: string, query: string): Promise<Content | null>;
  function setHead(page: Content | null): void;
}
