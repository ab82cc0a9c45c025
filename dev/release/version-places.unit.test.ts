import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../start/places.js';
import { releasedChangelog, VERSION_PLACES, withVersion } from './version-places.js';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

describe('the version', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };

  for (const file of VERSION_PLACES) {
    it(`is the same in ${file}`, () => {
      expect(withVersion(file, read(file), version)).to.equal(read(file));
    });

    it(`can be changed in ${file}`, () => {
      const changed = withVersion(file, read(file), '91.2.3');
      expect(changed).to.include('91.2.3');
      expect(withVersion(file, changed, version)).to.equal(read(file));
    });
  }

  it('takes what was unreleased in the changelog under its heading', () => {
    const before = '# Changelog\n\n## Unreleased\n\n### Added\n- a thing\n';
    expect(releasedChangelog(before, '1.0.0', '2026-01-31')).to.equal(
      '# Changelog\n\n## Unreleased\n\n## 1.0.0 – 2026-01-31\n\n### Added\n- a thing\n',
    );
  });
});
