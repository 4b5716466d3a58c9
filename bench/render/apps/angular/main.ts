import { provideRouter } from "@angular/router";
import { bootstrapApplication } from "@angular/platform-browser";
import { App } from "./app";
import { routes } from "./routes";

bootstrapApplication(App, { providers: [provideRouter(routes)] });
