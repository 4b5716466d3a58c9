import { start } from "/app.js";
import * as plain from "/plain.js";
import * as list from "/list.js";
import * as article from "/article.js";

const views = { plain, list, article };
start((name) => views[name]);
