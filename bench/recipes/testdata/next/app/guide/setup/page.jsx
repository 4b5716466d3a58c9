export const metadata = { title: "Before you travel", other: { "article:modified_time": "2026-02-20T09:30:00Z" } };

export default function Page() {
  return <p>Bring a ticket and warm clothes.</p>;
}
