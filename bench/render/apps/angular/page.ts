import { Component, inject, signal } from "@angular/core";
import { takeUntilDestroyed } from "@angular/core/rxjs-interop";
import { ActivatedRoute, Router, RouterLink } from "@angular/router";
import { combineLatest } from "rxjs";
import { Content, load, setHead } from "content";
import { NotFound } from "./not-found";

@Component({
  selector: "app-page",
  imports: [NotFound, RouterLink],
  template: `
    @if (page(); as shown) {
      <article>
        <h1>{{ shown.title }}</h1>
        @for (text of shown.paragraphs; track text) { <p>{{ text }}</p> }
        <ul>
          @for (link of shown.links; track link.path) {
            <li><a [routerLink]="parse(link.path)">{{ link.text }}</a></li>
          }
        </ul>
      </article>
    } @else if (page() === null) {
      <app-not-found />
    } @else {
      <p>Loading</p>
    }
  `,
})
export class Page {
  private router = inject(Router);
  page = signal<Content | null | undefined>(undefined);

  constructor() {
    const { url, queryParamMap } = inject(ActivatedRoute);
    combineLatest([url, queryParamMap]).pipe(takeUntilDestroyed()).subscribe(() => this.show());
  }

  parse(path: string) {
    return this.router.parseUrl(path);
  }

  private async show() {
    const [path, query] = this.router.url.split("?");
    const page = await load(path, query ? "?" + query : "");
    if (page) setHead(page);
    this.page.set(page);
  }
}
