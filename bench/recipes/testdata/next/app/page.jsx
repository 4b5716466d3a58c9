import Link from "next/link";

export const metadata = { title: "Harbour" };

export default function Page() {
  return <p>Boats leave the harbour every hour. <a href="/timetable">The old timetable</a> moved, and <Link href="/thanks">thanks</Link>.</p>;
}
