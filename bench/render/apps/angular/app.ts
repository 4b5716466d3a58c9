import { Component } from "@angular/core";
import { RouterLink, RouterOutlet } from "@angular/router";

@Component({
  selector: "app-root",
  imports: [RouterLink, RouterOutlet],
  template: `
    <nav>
      <a routerLink="/">Home</a> <a routerLink="/about">About</a> <a routerLink="/help">Help</a>
      <a routerLink="/start">Start here</a>
    </nav>
    <main><router-outlet /></main>
  `,
})
export class App {}
