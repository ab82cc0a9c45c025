import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../start/paths.js';
import { type Found, imageBuild, releasePlan, uncommittedFiles } from './release-plan.js';
import { CHANGELOG, RELEASED_FILES, released, VERSION_PLACES } from './released-files.js';

const DAY = '2026-01-31';
const texts = new Map(RELEASED_FILES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
const FOUND: Found = { version: '91.2.3', day: DAY, texts, uncommitted: [], hasDocker: true, hasHelm: true };

describe('release plan', () => {
  /** The texts after the first run. */
  const written = () => new Map([...texts, ...releasePlan(FOUND).writes]);

  it('writes and commits every file that contains the version', () => {
    const { writes, commit } = releasePlan(FOUND);
    expect([...writes.keys()]).to.have.members(RELEASED_FILES);
    expect(commit).to.have.members(RELEASED_FILES);
  });

  // Regression: after a run whose image build failed, the next one added a second heading to the changelog.
  it('does not write finished files again after an interrupted run', () => {
    const again = releasePlan({ ...FOUND, day: '2026-02-01', texts: written(), uncommitted: RELEASED_FILES });
    expect(again.writes.size).to.equal(0);
    expect(again.commit).to.have.members(RELEASED_FILES);
    expect(written().get(CHANGELOG)!.split('## 91.2.3')).to.have.length(2);
  });

  it('writes and commits nothing when only the image remains to be built', () => {
    expect(releasePlan({ ...FOUND, texts: written() })).to.deep.equal({ writes: new Map(), commit: [] });
  });

  it('is refused, with every reason', () => {
    const uncommitted = ['shared/src/domain/settle.ts', CHANGELOG];
    expect(() => releasePlan({ ...FOUND, uncommitted, hasDocker: false, hasHelm: false })).to.throw(
      [
        'shared/src/domain/settle.ts is not committed, so the image would differ from its commit',
        'docker is not installed, or its engine does not answer: it builds the image',
        'neither helm nor go is installed to package the chart',
      ].join('\n'),
    );
  });
});

describe('image build', () => {
  const image = 'registry.example.com/postrider';

  it('gets version and commit as build arguments', () => {
    expect(imageBuild(image, '1.2.0', 'abc', { HOME: '/root' }).join(' ')).to.equal(
      'build --target services --build-arg VERSION=1.2.0 --build-arg REVISION=abc' +
        ' --tag registry.example.com/postrider:1.2.0 .',
    );
  });

  it('gets the sources of base image, packages and authorities', () => {
    const env = {
      NODE_IMAGE: 'mirror/node:24',
      NPM_CONFIG_REGISTRY: 'https://npm.example.com',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/own.pem',
    };
    const args = imageBuild(image, '1.2.0', 'abc', env);
    expect(args).to.include.members(Object.entries(env).map(([name, value]) => `${name}=${value}`));
  });
});

describe('uncommitted files', () => {
  it('are parsed from the output of git status', () => {
    const files = ['package.json', 'a file.txt'];
    expect(uncommittedFiles(' M package.json\0?? a file.txt\0')).to.deep.equal(files);
    expect(uncommittedFiles('')).to.deep.equal([]);
  });
});

describe('version', () => {
  const { version } = JSON.parse(texts.get('package.json')!) as { version: string };

  for (const file of VERSION_PLACES) {
    const text = texts.get(file)!;

    it(`is the same in ${file}`, () => expect(released(file, text, version, DAY)).to.equal(text));

    it(`can be changed in ${file}`, () => {
      const changed = released(file, text, '91.2.3', DAY);
      expect(changed).to.include('91.2.3');
      expect(released(file, changed, version, DAY)).to.equal(text);
    });
  }

  it('moves the unreleased entries of the changelog under its heading', () => {
    const before = '# Changelog\n\n## Unreleased\n\n### Added\n- a thing\n';
    expect(released(CHANGELOG, before, '1.0.0', DAY)).to.equal(
      '# Changelog\n\n## Unreleased\n\n## 1.0.0 – 2026-01-31\n\n### Added\n- a thing\n',
    );
  });
});
