import { useEffect, useState } from "react";
import { Link, useLocation } from "react-router";
import { load, setHead } from "../content.js";
import { NotFound } from "./layout.jsx";

export function Page({ children }) {
  const { pathname, search } = useLocation();
  const address = pathname + search;
  const [answer, setAnswer] = useState({});
  useEffect(() => {
    let current = true;
    load(pathname, search).then((page) => {
      if (!current) return;
      setHead(page);
      setAnswer({ address, page });
    });
    return () => { current = false; };
  }, [address]);
  if (answer.address !== address) return <p>Loading</p>;
  if (!answer.page) return <NotFound />;
  return <><h1>{answer.page.title}</h1>{children(answer.page)}</>;
}

export function Text({ page }) {
  return page.paragraphs.map((text) => <p key={text}>{text}</p>);
}

export function Links({ page }) {
  return <ul>{page.links?.map(({ path, text }) => <li key={path}><Link to={path}>{text}</Link></li>)}</ul>;
}
