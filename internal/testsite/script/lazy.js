import { start } from "/app.js";

start((name) => import(`/${name}.js`));
