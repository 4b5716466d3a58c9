// Tests the packages as npm installs them: from files, and from a registry on this machine.
"use strict";
const assert = require("node:assert/strict");
const { execFileSync, spawn, spawnSync } = require("node:child_process");
const crypto = require("node:crypto");
const { once } = require("node:events");
const fs = require("node:fs");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const { after, before, test } = require("node:test");
const { buildProgram, writePackages } = require("./packages.js");

const version = "1.2.3";
const own = `@mapatools/mapa-${process.platform}-${process.arch}`;
const page = '<title>Home</title><p>home</p><a href="about.html">about</a><a href="gone.html">gone</a>';
const scratch = fs.mkdtempSync(path.join(os.tmpdir(), "mapa-npm-test-"));
let files, server, origin, installed;

// serve answers like a site with a broken link and a page that never comes, and like a registry.
function serve(request, response) {
  const name = decodeURIComponent(request.url.slice(1));
  const file = files.find((f) => path.basename(f) === name);
  if (file) {
    response.end(fs.readFileSync(file));
  } else if (name.startsWith("@mapatools/")) {
    response.end(JSON.stringify(registryEntry(name)));
  } else if (name === "never.html") {
    server.emit("never");
  } else if (name === "" || name === "about.html") {
    response.end(page);
  } else {
    response.writeHead(404).end();
  }
}

// registryEntry returns what a registry answers for a package.
function registryEntry(name) {
  const file = files.find((f) => readPackage(f).name === name);
  const integrity = `sha512-${crypto.createHash("sha512").update(fs.readFileSync(file)).digest("base64")}`;
  const dist = { tarball: `${origin}/${path.basename(file)}`, integrity };
  return { name, "dist-tags": { latest: version }, versions: { [version]: { ...readPackage(file), dist } } };
}

function readPackage(file) {
  return JSON.parse(execFileSync("tar", ["-xzOf", file, "package/package.json"]));
}

// install returns an empty project into which npm has installed.
async function install(...args) {
  const project = fs.mkdtempSync(path.join(scratch, "project-"));
  fs.writeFileSync(path.join(project, "package.json"), "{}");
  const npm = spawn("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--registry", origin,
    "--cache", path.join(scratch, "cache"), ...args], { cwd: project, stdio: "inherit" });
  assert.deepEqual(await once(npm, "exit"), [0, null]);
  return project;
}

// start runs a command in a project, in a process group of its own, and collects what it prints.
function start(project, command, ...args) {
  const child = spawn(command, args, { cwd: project, detached: true });
  child.text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => { child.text += chunk; });
  }
  return child;
}

// runMapa runs the program as npx does and returns its exit code and output.
async function runMapa(project, ...args) {
  const child = start(project, "npx", "--no-install", "mapa", ...args);
  const [code] = await once(child, "close");
  return { code, text: child.text };
}

// startHangingCrawl starts a crawl into a folder and returns when the crawl waits for a page.
async function startHangingCrawl(folder, command, ...args) {
  const requested = once(server, "never");
  const child = start(installed, command, ...args, "crawl", `${origin}/never.html`, "--rate", "0", "-o", folder);
  await requested;
  return child;
}

before(async () => {
  const build = (goos, goarch, file) => {
    const target = { linux: "linux", darwin: "darwin", windows: "win32" }[goos] === process.platform &&
      { amd64: "x64", arm64: "arm64" }[goarch] === process.arch;
    return target ? buildProgram(goos, goarch, file) :
      fs.mkdirSync(path.dirname(file), { recursive: true }) && fs.writeFileSync(file, "");
  };
  files = writePackages(`v${version}`, path.join(scratch, "dist"), build, path.join(__dirname, "..", "LICENSE"));
  server = http.createServer(serve).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${server.address().port}`;
  installed = await install("@mapatools/mapa");
});

after(() => {
  server.closeAllConnections();
  server.close();
  fs.rmSync(scratch, { recursive: true, force: true });
});

test("npm installs the program for this system alone", () => {
  assert.equal(files.length, 7);
  assert.deepEqual(fs.readdirSync(path.join(installed, "node_modules", "@mapatools")).sort(),
    ["mapa", path.basename(own)]);
});

test("packages have no install scripts, and one version", () => {
  for (const file of files) {
    const description = readPackage(file);
    assert.equal(description.scripts, undefined, file);
    assert.equal(description.dependencies, undefined, file);
    assert.equal(description.version, version);
    for (const wanted of Object.values(description.optionalDependencies || {})) {
      assert.equal(wanted, version);
    }
  }
});

test("files install without a registry", async () => {
  const of = (name) => files.find((f) => readPackage(f).name === name);
  const project = await install("--offline", "--no-save", of(own), of("@mapatools/mapa"));
  assert.equal((await runMapa(project, "version")).code, 0);
});

test("exit codes and output pass through", async () => {
  for (const [code, text, ...args] of [
    [0, /2 pages in the sitemap/, "crawl", origin, "--rate", "0", "-o", "fine"],
    [1, /gone\.html/, "crawl", origin, "--rate", "0", "-o", "broken", "--fail-on", "broken"],
    [2, /unknown flag: --wrong/, "crawl", "--wrong", "a b", "*"],
    [4, /mapa: /, "crawl", "http://127.0.0.1:1/", "-o", "nothing"],
  ]) {
    const result = await runMapa(installed, ...args);
    assert.equal(result.code, code, result.text);
    assert.match(result.text, text);
  }
});

test("standard input passes through", async () => {
  const child = start(installed, "npx", "--no-install", "mapa", "links", "-", "--rate", "0");
  child.stdin.end(`${origin}/gone.html\n`);
  assert.equal((await once(child, "close"))[0], 1, child.text);
});

for (const signal of ["SIGINT", "SIGTERM"]) {
  test(`${signal} ends a crawl with 130`, { skip: process.platform === "win32" }, async () => {
    const child = await startHangingCrawl(signal, path.join("node_modules", ".bin", "mapa"));
    child.kill(signal);
    assert.deepEqual(await once(child, "close"), [130, null], child.text);
    assert.match(child.text, /mapa: interrupted/);
  });
}

test("Ctrl-C, which all processes get, ends a crawl of npx with 130", { skip: process.platform === "win32" }, async () => {
  const child = await startHangingCrawl("group", "npx", "--no-install", "mapa");
  process.kill(-child.pid, "SIGINT");
  const [code, signal] = await once(child, "close");
  assert.equal(code ?? 128 + os.constants.signals[signal], 130, child.text); // as shells count signals
  assert.match(child.text, /mapa: interrupted/);
});

test("a program that a signal kills takes the launcher with it", { skip: process.platform === "win32" }, async () => {
  const child = await startHangingCrawl("killed", path.join("node_modules", ".bin", "mapa"));
  spawnSync("pkill", ["-KILL", "-P", String(child.pid)]);
  assert.deepEqual(await once(child, "close"), [null, "SIGKILL"], child.text);
});

test("a program that a broken pipe kills does not end with 0", { skip: process.platform === "win32" }, () => {
  const program = path.join(installed, "node_modules", ...own.split("/"), "bin", "mapa");
  fs.renameSync(program, program + ".kept");
  fs.writeFileSync(program, "#!/bin/sh\nkill -PIPE $$\n", { mode: 0o755 });
  const { status } = spawnSync(path.join(installed, "node_modules", ".bin", "mapa"), ["version"]);
  fs.renameSync(program + ".kept", program);
  assert.equal(status, 128 + os.constants.signals.SIGPIPE);
});

test("a missing platform package is named, with what to do", async () => {
  const project = await install("--omit=optional", "@mapatools/mapa");
  const { code, text } = await runMapa(project, "version");
  assert.equal(code, 2, text);
  assert.ok(text.includes(`the package ${own}, which has the program for this system, is not installed`), text);
  assert.ok(text.includes("run npm install without --omit=optional"), text);
  assert.ok(!text.includes("at "), text);
});

test("a platform package of a folder above, or of NODE_PATH, is not run", async () => {
  const project = await install("--omit=optional", "@mapatools/mapa");
  const strange = path.join(scratch, "node_modules", ...own.split("/"));
  fs.cpSync(path.join(installed, "node_modules", ...own.split("/")), strange, { recursive: true });
  const launcher = path.join(project, "node_modules", "@mapatools", "mapa", "mapa.js");
  const copy = path.join(scratch, "node_modules", "@mapatools", "copy"); // not as npm installs it
  fs.cpSync(path.dirname(launcher), copy, { recursive: true });
  for (const file of [launcher, path.join(copy, "mapa.js")]) {
    const { status, stderr } = spawnSync(process.execPath, [file, "version"],
      { encoding: "utf8", env: { ...process.env, NODE_PATH: path.join(scratch, "node_modules") } });
    assert.equal(status, 2, file);
    assert.ok(stderr.includes(`the package ${own}, which has the program for this system, is not installed`), stderr);
  }
  fs.rmSync(path.join(scratch, "node_modules"), { recursive: true });
});

test("a platform package inside the package is run, as npm install --global places it", () => {
  const project = fs.mkdtempSync(path.join(scratch, "project-"));
  const launcher = path.join(project, "mapa");
  fs.cpSync(path.join(installed, "node_modules", "@mapatools", "mapa"), launcher, { recursive: true });
  const options = { encoding: "utf8" };
  assert.equal(spawnSync(process.execPath, [path.join(launcher, "mapa.js"), "version"], options).status, 2);
  fs.cpSync(path.join(installed, "node_modules", ...own.split("/")),
    path.join(launcher, "node_modules", ...own.split("/")), { recursive: true });
  assert.equal(spawnSync(process.execPath, [path.join(launcher, "mapa.js"), "version"], options).status, 0);
});

test("a platform package of another version is named", () => {
  const file = path.join(installed, "node_modules", ...own.split("/"), "package.json");
  const text = fs.readFileSync(file, "utf8");
  fs.writeFileSync(file, text.replace(`"version": "${version}"`, '"version": "1.2.4"'));
  const { status, stderr } = spawnSync(path.join(installed, "node_modules", ".bin", "mapa"), ["version"], { encoding: "utf8" });
  fs.writeFileSync(file, text);
  assert.equal(status, 2);
  assert.ok(stderr.includes(`the package ${own} is version 1.2.4, not ${version}`), stderr);
});

test("a system without a program is named", () => {
  const launcher = path.join(installed, "node_modules", "@mapatools", "mapa", "mapa.js");
  const script = `Object.defineProperty(process, "platform", { value: "plan9" }); require(${JSON.stringify(launcher)})`;
  const { status, stderr } = spawnSync(process.execPath, ["-e", script], { encoding: "utf8" });
  assert.equal(status, 2);
  assert.match(stderr, /no program for plan9/);
});

test("a program that does not run is named", () => {
  const program = path.join(installed, "node_modules", ...own.split("/"), "bin", "mapa");
  fs.chmodSync(program, 0o644);
  const { status, stderr } = spawnSync(path.join(installed, "node_modules", ".bin", "mapa"), ["version"], { encoding: "utf8" });
  fs.chmodSync(program, 0o755);
  assert.equal(status, 2);
  assert.match(stderr, /does not run: .*EACCES/);
});
