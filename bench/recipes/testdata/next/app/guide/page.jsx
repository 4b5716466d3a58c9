import Link from "next/link";

export const metadata = { title: "Guide" };

export default function Page() {
  return <p>How to travel: <Link href="/guide/setup">before you travel</Link>, <Link href="/guide/überfahrt">the crossing</Link>.</p>;
}
