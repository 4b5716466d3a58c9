export const metadata = {
  metadataBase: new URL("https://example.com"),
  alternates: { canonical: "./" },
};

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <nav><a href="/">Home</a> <a href="/guide">Guide</a> <a href="/blog">Blog</a></nav>
        <main>{children}</main>
      </body>
    </html>
  );
}
