import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import { anchorOf } from '#dev/site/anchor';

const ROOT = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const list = (folder: string) => readdirSync(new URL(folder, ROOT)).map((name) => folder + name);

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading!));

const folders = ['./', 'docs/', 'docs/decisions/', 'docs/receiving/'];
const pages = [...folders.flatMap(list), 'client/README.md', 'cli/README.md']
  .filter((path) => path.endsWith('.md'))
  .map((path) => path.replace(/^\.\//, ''));

describe('documentation', () => {
  for (const page of pages) {
    it(`links ${page} to existing files and headings`, () => {
      const text = read(page).replaceAll(/^```[\s\S]*?^```/gm, '');
      const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
      const targets = links.filter((target) => !/^[a-z]+:/.test(target));
      const broken = targets.filter((target) => {
        const url = new URL(target, new URL(page, ROOT));
        const heading = url.hash.slice(1);
        url.hash = '';
        if (!existsSync(url)) return true;
        if (heading === '' || statSync(url).isDirectory()) return false;
        return url.pathname.endsWith('.md') && !anchorsOf(readFileSync(url, 'utf8')).includes(heading);
      });
      expect(broken).to.deep.equal([]);
    });
  }
});

describe('endpoint options', () => {
  it('show the Python verification exactly as it is tried', () => {
    const [, code] = /^```python\n([\s\S]*?)^```/m.exec(read('docs/endpoint-options.md'))!;
    expect(code).to.equal(read('test/consumers/signatures/verify_ed25519.py'));
  });
});

describe('index of decisions', () => {
  const index = read('docs/decisions/README.md');
  const files = list('docs/decisions/').filter((path) => /\/\d{4}-[^/]*\.md$/.test(path));

  it('lists every decision with its number, date and title', () => {
    const rows = files.toSorted().map((path) => {
      const [, name, number] = /\/((\d{4})-[^/]*)$/.exec(path)!;
      const [, title, date] = /^# \d{4}\. (.+)\n\n(\d{4}-\d\d-\d\d) · /.exec(read(path)) ?? [];
      return `| [${number}](${name}) | ${date} | ${title} |`;
    });
    expect(index.match(/^\| \[\d.*$/gm)).to.deep.equal(rows);
  });

  it('has one decision for each number', () => {
    const numbers = files.map((path) => /\/(\d{4})-/.exec(path)![1]!);
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).to.deep.equal([]);
  });
});

describe('list of dependencies', () => {
  const cells = [...read('docs/dependencies.md').matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell!);
  const listed = cells
    .filter((cell) => !cell.includes('PyPI'))
    .flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
  const { workspaces } = JSON.parse(read('package.json')) as { readonly workspaces: readonly string[] };
  const used = ['.', ...workspaces].flatMap((folder) => {
    const manifest = JSON.parse(read(`${folder}/package.json`));
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    return Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies });
  });

  it('has a line for every package that a workspace declares, and for no other', () => {
    const external = new Set(used.filter((name) => !name.startsWith('@postrider/')));
    expect([...new Set(listed)].toSorted()).to.deep.equal([...external].toSorted());
  });
});
