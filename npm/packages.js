// Writes the npm packages of a version into a folder, as files for npm publish: one for each platform,
// and one that depends on all of them and runs the program of the one that npm installs.
"use strict";
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");

const root = path.join(__dirname, "..");

// The platforms of a release, by Node's names for systems and processors, and Go's.
const systems = { linux: "linux", darwin: "darwin", win32: "windows" };
const processors = { x64: "amd64", arm64: "arm64" };

const shared = {
  license: "MIT",
  homepage: "https://github.com/mapatools/mapa",
  repository: { type: "git", url: "git+https://github.com/mapatools/mapa.git", directory: "npm" },
  bugs: "https://github.com/mapatools/mapa/issues",
  publishConfig: { access: "public" },
};

// writePackages writes the packages of a version, such as v1.2.3, to a folder, and returns their files,
// the platforms before what depends on them. buildProgram(goos, goarch, file) builds a program, and
// licenses is the file with the licenses of its modules.
function writePackages(tag, folder, buildProgram, licenses) {
  const version = tag.replace(/^v/, "");
  const optionalDependencies = {};
  const files = [];
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  for (const [system, goos] of Object.entries(systems)) {
    for (const [processor, goarch] of Object.entries(processors)) {
      const name = `@mapatools/mapa-${system}-${processor}`;
      optionalDependencies[name] = version;
      const description = {
        name, version, description: `The program mapa for ${system} on ${processor}`, ...shared,
        os: [system], cpu: [processor], preferUnplugged: true,
      };
      files.push(pack(folder, description, (dir) => {
        const program = path.join(dir, "bin", goos === "windows" ? "mapa.exe" : "mapa");
        buildProgram(goos, goarch, program);
        fs.chmodSync(program, 0o755);
        fs.copyFileSync(licenses, path.join(dir, "LICENSES-OF-MODULES"));
        fs.writeFileSync(path.join(dir, "README.md"), "The program of @mapatools/mapa. Install that package.\n");
      }));
    }
  }
  const description = {
    name: "@mapatools/mapa", version, description: "Crawls sites, finds broken links, writes and checks sitemaps",
    keywords: ["sitemap", "broken links", "link checker", "crawler", "seo", "hreflang"], ...shared,
    mcpName: "io.github.mapatools/mapa", // as in server.json, which the registry of MCP compares
    bin: { mapa: "mapa.js" }, engines: { node: ">=18" }, optionalDependencies,
  };
  files.push(pack(folder, description, (dir) => {
    for (const name of ["mapa.js", "README.md"]) {
      fs.copyFileSync(path.join(__dirname, name), path.join(dir, name));
    }
  }));
  return files;
}

// pack writes a package to a folder and returns its file. addFiles(dir) writes its content, besides
// package.json and the license.
function pack(folder, description, addFiles) {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), "mapa-npm-"));
  try {
    fs.writeFileSync(path.join(dir, "package.json"), JSON.stringify(description, null, 2) + "\n");
    fs.copyFileSync(path.join(root, "LICENSE"), path.join(dir, "LICENSE"));
    addFiles(dir);
    execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", path.resolve(folder)],
      { cwd: dir, stdio: ["ignore", "ignore", "inherit"] });
    return path.join(folder, `${description.name.replace("@", "").replace("/", "-")}-${description.version}.tgz`);
  } finally {
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

// buildProgram compiles the program with the flags of .goreleaser.yaml, which give the same bytes.
function buildProgram(goos, goarch, file) {
  execFileSync("go", ["build", "-trimpath", "-buildvcs=true", "-ldflags", "-s -w", "-o", file, "./cmd/mapa"],
    { cwd: root, env: { ...process.env, CGO_ENABLED: "0", GOOS: goos, GOARCH: goarch }, stdio: "inherit" });
}

module.exports = { writePackages, buildProgram };

if (require.main === module) {
  const tag = process.argv[2] || "";
  if (!/^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(tag)) {
    console.error(`packages.js: the version is ${JSON.stringify(tag)}, not one such as v1.2.3`);
    process.exit(2);
  }
  const licenses = path.join(root, ".release", "LICENSES-OF-MODULES"); // of make release-files
  for (const file of writePackages(tag, path.join(__dirname, "dist"), buildProgram, licenses)) {
    console.log(path.relative(process.cwd(), file));
  }
}
