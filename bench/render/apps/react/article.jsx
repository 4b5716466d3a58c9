import { Links, Page, Text } from "./page.jsx";

export function Component() {
  return <Page>{(page) => <><article><Text page={page} /></article><aside><Links page={page} /></aside></>}</Page>;
}
