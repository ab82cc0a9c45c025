import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = new URL('../../../', import.meta.url);
const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(new URL(`${folder}/package.json`, ROOT), 'utf8'));

/** The paths in the archive of a workspace. */
function packed(folder: string): readonly string[] {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts', '--workspace', folder];
  const answer = JSON.parse(execFileSync('npm', args, { cwd: fileURLToPath(ROOT), encoding: 'utf8' }));
  const [{ files }] = Array.isArray(answer) ? answer : Object.values<{ files: { path: string }[] }>(answer);
  return files.map(({ path }: { path: string }) => path);
}

for (const folder of ['client', 'cli']) {
  describe(`the package of ${folder}`, function () {
    this.timeout(20_000);
    const manifest = manifestOf(folder);

    it('contains the program, its licence and its page, and nothing else', () => {
      const paths = packed(folder);
      expect(paths).to.include.members(['README.md', 'LICENSE', 'package.json']);
      expect(paths.filter((path) => !/^(dist\/src\/.*\.(js|d\.ts)|[^/]+)$/.test(path))).to.deep.equal([]);
    });

    it('can be published, with the version of the api', () => {
      expect(manifest).not.to.have.property('private');
      expect(manifest.version).to.equal(manifestOf('services/api').version);
      expect(manifest).to.include({ type: 'module', license: 'MIT' });
    });
  });
}

describe('the entry of the client', () => {
  it('has its types and its code in the archive', () => {
    const { types, default: code } = manifestOf('client').exports['.'];
    expect(packed('client')).to.include.members([types.slice(2), code.slice(2)]);
  }).timeout(20_000);
});
