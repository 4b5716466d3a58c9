import { Links, Page, Text } from "./page.jsx";

export function Component() {
  return <Page>{(page) => <><Text page={page} /><Links page={page} /></>}</Page>;
}
