#!/usr/bin/env node
// Runs the program in the platform package that npm installed next to this package.
"use strict";
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const exitUsage = 2;

// findProgram returns the path of the program for this system.
function findProgram() {
  const platform = `${process.platform}-${process.arch}`;
  const name = `@mapatools/mapa-${platform}`;
  const platforms = Object.keys(require("./package.json").optionalDependencies);
  if (!platforms.includes(name)) {
    fail(`there is no program for ${platform}`, "compile it: go install github.com/mapatools/mapa/cmd/mapa@latest");
  }
  try {
    return require.resolve(`${name}/bin/mapa${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    fail(`the package ${name}, which has the program for this system, is not installed`,
      "remove node_modules and package-lock.json, and run npm install without --omit=optional and --no-optional");
  }
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
