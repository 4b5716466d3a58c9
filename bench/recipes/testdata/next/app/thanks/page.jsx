export const metadata = { title: "Thanks", robots: { index: false } };

export default function Page() {
  return <p>Thank you for your order.</p>;
}
