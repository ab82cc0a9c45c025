import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const PREPARE = fileURLToPath(new URL('../prepare.mjs', import.meta.url));
const INSTALLED = ['node_modules/a', 'client/node_modules/b'];
const LOCK = JSON.stringify({
  packages: Object.fromEntries(INSTALLED.map((path) => [path, { version: '1.0.0' }])),
});
/** Prints its arguments and fails. */
const NPM = "console.log(['npm', ...process.argv.slice(2, 4)].join(' ')); process.exit(1);";

describe('npm start before its start', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'postrider-prepare-'));
    mkdirSync(join(root, 'services'));
    mkdirSync(join(root, 'dev'));
    copyFileSync(PREPARE, join(root, 'dev/prepare.mjs'));
    write('npm.js', NPM);
    write('package-lock.json', LOCK);
    write('node_modules/.package-lock.json', LOCK);
    for (const path of INSTALLED) write(`${path}/package.json`, '{}');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const prepare = () => {
    const env = { ...process.env, npm_execpath: join(root, 'npm.js') };
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'dev/prepare.mjs')], {
      env,
      encoding: 'utf8',
    });
    return (stdout + stderr).trim().split('\n');
  };

  it('installs nothing where all packages are there', () => {
    expect(prepare()).to.deep.equal([
      'Building …',
      'npm run --silent',
      'The build failed: see the errors above.',
    ]);
  });

  it('builds after a change of sources or of the lock file, and otherwise not', () => {
    write('npm.js', NPM.replace('exit(1)', 'exit(0)'));
    for (const path of ['dev/dist/start.js', 'dist/admin.js', 'dist/cli.js']) write(path, '');
    const isBuilding = () => prepare().includes('Building …');
    expect([isBuilding(), isBuilding()]).to.deep.equal([true, false]);
    write('shared/source.ts', '');
    expect([isBuilding(), isBuilding()]).to.deep.equal([true, false]);
    write('package-lock.json', `${LOCK}\n`);
    expect([isBuilding(), isBuilding()]).to.deep.equal([true, false]);
  });

  for (const [name, breakIt, reason] of [
    [
      'the node_modules of a workspace is missing',
      () => rmSync(join(root, 'client'), { recursive: true }),
      'client/node_modules/b is missing; npm ci replaces all that are here',
    ],
    [
      'there is no node_modules',
      () => rmSync(join(root, 'node_modules'), { recursive: true }),
      'there are none yet',
    ],
    [
      'an installation was interrupted',
      () => rmSync(join(root, 'node_modules/.package-lock.json')),
      'an earlier installation was interrupted; npm ci replaces all that are here',
    ],
    [
      'the lock file has another version',
      () => write('package-lock.json', LOCK.replace('1.0.0', '2.0.0')),
      'node_modules/a is not the one of package-lock.json; npm ci replaces all that are here',
    ],
  ] as const) {
    it(`installs with a reason, development packages included, where ${name}`, () => {
      breakIt();
      expect(prepare().slice(0, 2)).to.deep.equal([
        `Installing packages: ${reason} …`,
        'npm ci --include=dev',
      ]);
    });
  }
});
