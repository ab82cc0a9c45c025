// Gets a checkout ready to run: packages installed, sources built. Plain JavaScript that needs nothing installed, because
// it installs the packages. Without arguments it builds only after changes; `--build` always runs the compiler.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'node_modules', '.bin');
/** npm puts the project's own Node.js first on the path of every script, where its platform has a package. */
const OWN_NODE = join(BIN, process.platform === 'win32' ? 'node.cmd' : 'node');
/** The oldest Node.js that can run this project without that package. */
const OLDEST = [22, 22];
const OLDEST_TO_PREPARE = [20, 0];

/**
 * npm records what it has installed as its last step. When that record exists, agrees with the lock file and its packages
 * exist, the installation is complete; an interrupted one fails this check. Packages are in the `node_modules` of the root
 * and of workspaces, which a copy of the checkout may lack.
 *
 * @returns why packages have to be installed; null if all are there
 */
function whyInstall() {
  const wanted = readLock('package-lock.json');
  if (wanted === undefined) return 'package-lock.json cannot be read';
  const present = readLock(join('node_modules', '.package-lock.json'));
  if (present === undefined)
    return existsSync(join(ROOT, 'node_modules'))
      ? 'an earlier installation was interrupted'
      : 'there are none yet';
  for (const [path, { version, optional, link, resolved }] of Object.entries(wanted)) {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) continue;
    const installed = present[path];
    if (installed === undefined && optional === true) continue;
    if (installed === undefined) return `${path} is not installed`;
    const same = link ? installed.resolved === resolved : installed.version === version;
    if (!same) return `${path} is not the one of package-lock.json`;
    if (!existsSync(join(ROOT, path, 'package.json'))) return `${path} is missing`;
  }
  return null;
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function isOlderThan([major, minor]) {
  const [ownMajor, ownMinor] = process.versions.node.split('.').map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}

const SOURCE_ROOTS =
  'shared services client cli console dev test bench package.json package-lock.json tsconfig.json tsconfig.base.json';
const NOT_SOURCES = new Set(['node_modules', 'dist', 'generated', 'openapi.json']);

/** Changes when any source is edited, added or removed. */
function fingerprintSources() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const stat = statSync(join(ROOT, path), { throwIfNoEntry: false });
    if (stat === undefined) return;
    if (!stat.isDirectory()) return hash.update(`${path} ${stat.mtimeMs} ${stat.size}\n`);
    const names = readdirSync(join(ROOT, path)).sort();
    for (const name of names) if (!NOT_SOURCES.has(name)) visit(join(path, name));
  };
  for (const root of SOURCE_ROOTS.split(' ')) visit(root);
  return hash.digest('hex');
}

/** In the output directory, so that it is removed together with that. */
const FINGERPRINT = join(ROOT, 'dev', 'dist', 'sources-fingerprint');

function isBuilt(sources) {
  if (!existsSync(FINGERPRINT) || readFileSync(FINGERPRINT, 'utf8') !== sources) return false;
  const services = readdirSync(join(ROOT, 'services')).map((name) => `dist/${name}.js`);
  return ['dev/dist/start.js', 'dist/admin.js', 'dist/cli.js', ...services].every((path) =>
    existsSync(join(ROOT, path)),
  );
}

function npm(args) {
  const env = { ...process.env, PATH: [BIN, process.env.PATH].join(delimiter) };
  const self = process.env.npm_execpath;
  const run = self?.endsWith('.js')
    ? spawnSync(process.execPath, [self, ...args], { cwd: ROOT, stdio: 'inherit', env })
    : spawnSync('npm', args, { cwd: ROOT, stdio: 'inherit', env, shell: process.platform === 'win32' });
  if (run.error !== undefined) fail(`npm does not run (${run.error.message}); it comes with Node.js.`);
  return run.status;
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

if (isOlderThan(OLDEST_TO_PREPARE))
  fail(`Node.js ${OLDEST_TO_PREPARE[0]} or newer is needed; this is ${process.version}.`);
const reason = whyInstall();
if (reason !== null) {
  const replaces = existsSync(join(ROOT, 'node_modules')) ? '; npm ci replaces all that are here' : '';
  console.log(`Installing packages: ${reason}${replaces} …`);
  // The build needs the development packages even if NODE_ENV is "production".
  if (npm(['ci', '--include=dev', '--loglevel=error', '--no-fund', '--no-audit']) !== 0)
    fail('Installing the packages failed. Fix the cause (often the network) and run the command again.');
}
if (!existsSync(OWN_NODE) && isOlderThan(OLDEST))
  fail(
    `There is no packaged Node.js 24 for ${process.platform}-${process.arch}, and this is ${process.version}. ` +
      `Install Node.js ${OLDEST.join('.')} or newer and run the command again.`,
  );
// From before the build: an edit during it counts as a change.
const sources = fingerprintSources();
if (process.argv.includes('--build') || !isBuilt(sources)) {
  console.log('Building …');
  if (npm(['run', '--silent', 'build']) !== 0) {
    const missing = whyInstall();
    fail(`The build failed: see the errors above.${missing === null ? '' : ` After npm ci, ${missing}.`}`);
  }
  mkdirSync(join(FINGERPRINT, '..'), { recursive: true });
  writeFileSync(FINGERPRINT, sources);
}
