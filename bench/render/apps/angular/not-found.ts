import { Component } from "@angular/core";
import { notFoundTitle, setHead } from "content";

@Component({
  selector: "app-not-found",
  template: `<h1>{{ title }}</h1><p>There is no page at this address.</p>`,
})
export class NotFound {
  title = notFoundTitle;

  constructor() {
    setHead(null);
  }
}
