#!/usr/bin/env node
// Runs the program in the platform package that npm installed with this package.
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const { constants } = require("node:os");
const path = require("node:path");

const exitUsage = 2;

// findProgram returns the path of the program for this system.
function findProgram() {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@mapatools/mapa-${platform}`;
  const version = require("./package.json").optionalDependencies[name];
  if (version === undefined) {
    fail(`there is no program for ${platform}`, "compile it: go install github.com/mapatools/mapa/cmd/mapa@latest");
  }
  const folder = findPackage(name);
  if (folder === undefined) {
    fail(`the package ${name}, which has the program for this system, is not installed`,
      "remove node_modules and package-lock.json, and run npm install without --omit=optional and --no-optional");
  }
  const installed = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8")).version;
  if (installed !== version) {
    fail(`the package ${name} is version ${installed}, not ${version}`, "remove node_modules, and run npm install");
  }
  return path.join(folder, "bin", process.platform === "win32" ? "mapa.exe" : "mapa");
}

// findPackage returns the folder of a platform package: in this package, or next to it. Node would also
// search the folders above, such as /tmp, which others may write to, and NODE_PATH.
function findPackage(name) {
  if (process.versions.pnp) { // Yarn without node_modules, where a package has only its own dependencies
    try {
      return path.dirname(require.resolve(`${name}/package.json`));
    } catch {
      return undefined;
    }
  }
  const own = fs.realpathSync(__dirname);
  const folders = [path.join(own, "node_modules", name)];
  if (own.endsWith(path.join(path.sep, "node_modules", "@mapatools", "mapa"))) {
    folders.push(path.join(own, "..", "..", name));
  }
  return folders.find((folder) => fs.existsSync(path.join(folder, "package.json")));
}

// fail prints what is wrong and what to do, and ends the process.
function fail(problem, hint) {
  console.error(`mapa: ${problem}\n  ${hint}`);
  process.exit(exitUsage);
}

// run starts a program and ends as it does. Signals to this process alone are passed on; those of a
// terminal reach the program twice, which takes them as one. Windows has no signals to pass on, and
// there Ctrl-C reaches the program itself.
function run(program) {
  const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
    process.on(signal, () => process.platform === "win32" || child.kill(signal));
  }
  child.on("error", (err) => fail(`${program} does not run: ${err.message}`, "remove node_modules, and run npm install"));
  child.on("exit", (code, signal) => {
    if (signal === null) {
      process.exit(code);
    }
    process.removeAllListeners(signal);
    process.exitCode = 128 + constants.signals[signal]; // Node ignores some signals, such as SIGPIPE
    process.kill(process.pid, signal);
  });
}

run(findProgram());
