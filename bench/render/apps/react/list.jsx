import { Links, Page, Text } from "./page.jsx";

export function Component() {
  return <Page>{(page) => <><Links page={page} /><Text page={page} /></>}</Page>;
}
