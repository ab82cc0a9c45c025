// Gets a checkout ready to run: packages installed, sources built. Plain JavaScript that needs nothing installed, because
// it installs the packages. Without arguments it builds only after changes; `--build` always runs the compiler.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'node_modules', '.bin');
/** The oldest Node.js that can run this project where no package brings a newer one. */
const OLDEST_OWN = [22, 22];
const OLDEST_TO_PREPARE = 20;

function prepare(always) {
  checkNode();
  if (!isInstalled()) install();
  checkProjectNode();
  const sources = fingerprintSources();
  if (always || !isBuilt(sources)) build(sources);
}

function checkNode() {
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_TO_PREPARE) return;
  fail(`Node.js ${OLDEST_TO_PREPARE} or newer is needed; this is ${process.version}.`);
}

/**
 * npm records what it has installed as its last step. When that record exists, agrees with the lock file and its packages
 * exist, the installation is complete; after an interrupted one it is not.
 */
function isInstalled() {
  const wanted = readLock('package-lock.json');
  const present = readLock(join('node_modules', '.package-lock.json'));
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, { version, optional, link, resolved }]) => {
    if (!path.startsWith('node_modules/') && !path.includes('/node_modules/')) return true;
    const installed = present[path];
    if (installed === undefined) return optional === true;
    const same = link ? installed.resolved === resolved : installed.version === version;
    return same && existsSync(join(ROOT, path, 'package.json'));
  });
}

function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(ROOT, path), 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function install() {
  console.log('Installing packages …');
  if (npm(['ci', '--loglevel=error', '--no-fund', '--no-audit']) !== 0)
    fail('Installing the packages failed. Fix the cause (often the network) and run the command again.');
}

/** npm puts the project's own Node.js first on the path of every script, where its platform has a package. */
function checkProjectNode() {
  const own = join(BIN, process.platform === 'win32' ? 'node.cmd' : 'node');
  if (existsSync(own)) return;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_OWN[0] || (major === OLDEST_OWN[0] && minor >= OLDEST_OWN[1])) return;
  const platform = `${process.platform}-${process.arch}`;
  fail(
    `There is no packaged Node.js 24 for ${platform}, and this is ${process.version}. ` +
      `Install Node.js ${OLDEST_OWN.join('.')} or newer and run the command again.`,
  );
}

const SOURCE_ROOTS = 'shared services client dev test bench package.json tsconfig.json tsconfig.base.json';
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

/** In the output directory, so that removing that removes this. */
const FINGERPRINT = join(ROOT, 'dev', 'dist', 'sources-fingerprint');

function isBuilt(sources) {
  if (!existsSync(FINGERPRINT) || readFileSync(FINGERPRINT, 'utf8') !== sources) return false;
  const services = readdirSync(join(ROOT, 'services')).map((name) => `services/${name}/dist/src/main.js`);
  return ['dev/dist/start.js', ...services].every((path) => existsSync(join(ROOT, path)));
}

/** `sources` is from before the build: an edit during it counts as a change. */
function build(sources) {
  console.log('Building …');
  if (npm(['run', '--silent', 'build']) !== 0) fail('The build failed: see the errors above.');
  mkdirSync(join(FINGERPRINT, '..'), { recursive: true });
  writeFileSync(FINGERPRINT, sources);
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

prepare(process.argv.includes('--build'));
