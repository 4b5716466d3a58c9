import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { load, notFoundTitle, setHead } from "../content.js";

export function Page() {
  const { url } = useLocation();
  const [answer, setAnswer] = useState({});
  useEffect(() => {
    let current = true;
    const { pathname, search } = new URL(url, location.origin);
    load(pathname, search).then((page) => {
      if (!current) return;
      if (page) setHead(page);
      setAnswer({ url, page });
    });
    return () => { current = false; };
  }, [url]);
  if (answer.url !== url) return <p>Loading</p>;
  if (!answer.page) return <NotFound />;
  return (
    <article>
      <h1>{answer.page.title}</h1>
      {answer.page.paragraphs.map((text) => <p key={text}>{text}</p>)}
      <ul>{answer.page.links?.map(({ path, text }) => <li key={path}><a href={path}>{text}</a></li>)}</ul>
    </article>
  );
}

export function Moved() {
  const { route } = useLocation();
  useEffect(() => route("/welcome", true), []);
  return null;
}

export function NotFound() {
  const { url } = useLocation();
  useEffect(() => setHead(null), [url]);
  return <><h1>{notFoundTitle}</h1><p>There is no page at this address.</p></>;
}
