import { render } from "preact";
import { LocationProvider, Route, Router } from "preact-iso";
import { Moved, NotFound, Page } from "./page.jsx";

const paths = ["/", "/about", "/help", "/welcome", "/topics/:topic", "/articles/:article", "/articles/:article/print",
  "/drafts/:article"];

function App() {
  return (
    <LocationProvider>
      <nav>
        <a href="/">Home</a> <a href="/about">About</a> <a href="/help">Help</a> <a href="/start">Start here</a>
      </nav>
      <main>
        <Router>
          <Route path="/start" component={Moved} />
          {paths.map((path) => <Route path={path} component={Page} />)}
          <Route default component={NotFound} />
        </Router>
      </main>
    </LocationProvider>
  );
}

render(<App />, document.getElementById("app"));
