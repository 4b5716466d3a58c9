import Link from "next/link";
import { posts } from "../posts";

export const metadata = { title: "Blog" };

export default function Page() {
  return <ul>{posts.map((post) => <li key={post.slug}><Link href={`/blog/${post.slug}`}>{post.title}</Link></li>)}</ul>;
}
