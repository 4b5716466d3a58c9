import { useEffect } from "react";
import { Link, Navigate, Outlet, useLocation } from "react-router";
import { notFoundTitle, setHead } from "../content.js";

export function Layout() {
  return (
    <>
      <nav>
        <Link to="/">Home</Link> <Link to="/about">About</Link> <Link to="/help">Help</Link>{" "}
        <Link to="/start">Start here</Link>
      </nav>
      <main><Outlet /></main>
    </>
  );
}

export function Moved() {
  return <Navigate to="/welcome" />;
}

export function NotFound() {
  const { pathname } = useLocation();
  useEffect(() => setHead(null), [pathname]);
  if (import.meta.env.MODE === "react-notfound" && pathname !== "/not-found") {
    return <Navigate to="/not-found" replace />;
  }
  return <><h1>{notFoundTitle}</h1><p>There is no page at this address.</p></>;
}
