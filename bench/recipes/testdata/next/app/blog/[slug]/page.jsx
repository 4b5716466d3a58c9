import { posts } from "../../posts";

export const dynamicParams = false;

export function generateStaticParams() {
  return posts.map(({ slug }) => ({ slug }));
}

export async function generateMetadata({ params }) {
  const { slug } = await params;
  return { title: posts.find((post) => post.slug === slug).title };
}

export default async function Page({ params }) {
  const { slug } = await params;
  return <p>{posts.find((post) => post.slug === slug).text}</p>;
}
