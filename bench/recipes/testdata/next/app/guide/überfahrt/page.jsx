export const metadata = { title: "Die Überfahrt" };

export default function Page() {
  return <p>The crossing takes two hours.</p>;
}
