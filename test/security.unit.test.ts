import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';

const ROOT = new URL('../../', import.meta.url);

describe('list of defences', () => {
  const list = readFileSync(new URL('docs/security.md', ROOT), 'utf8');
  const rows = list.split('\n').filter((line) => /^\| .* \|$/.test(line) && line.split('|').length === 4);
  const defences = rows.filter((row) => !row.startsWith('| defence |'));

  it('contains an existing test for each defence', () => {
    expect(defences).to.have.length.above(25);
    for (const row of defences) {
      const [, test] = /\| `([a-z0-9/.-]+\.test\.ts)` \|$/.exec(row) ?? [];
      expect(test, row).to.be.a('string');
      expect(existsSync(new URL(test!, ROOT)), test).to.equal(true);
    }
  });

  it('names each test among those that failed without their defence', () => {
    const [, record = ''] = list.split('## The tests fail without their defence');
    for (const row of defences) {
      const [, name] = /\/([a-z0-9.-]+)\.test\.ts` \|$/.exec(row) ?? [];
      expect(record, row).to.include(`\`${name}\``);
    }
  });
});
