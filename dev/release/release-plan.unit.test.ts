import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../start/places.js';
import {
  CHANGELOG,
  type Found,
  imageBuild,
  RELEASED_FILES,
  type ReleasePlan,
  releasePlan,
  uncommittedFiles,
} from './release-plan.js';

const texts = new Map(RELEASED_FILES.map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]));
const FOUND: Found = {
  version: '91.2.3',
  day: '2026-01-31',
  texts,
  uncommitted: [],
  hasDocker: true,
  hasHelm: true,
};

function written(plan: ReleasePlan): Map<string, string> {
  if (plan.kind === 'refused') throw new Error(plan.because.join());
  return new Map(plan.writes.map(({ file, text }) => [file, text]));
}

describe('the plan of a release', () => {
  it('writes every file that names the version, and commits them all', () => {
    const plan = releasePlan(FOUND);
    expect([...written(plan).keys()]).to.have.members(RELEASED_FILES);
    expect(plan).to.have.property('commit').with.members(RELEASED_FILES);
  });

  // A run whose image could not be built left its files written, and the next one put a second heading into the changelog.
  it('writes nothing twice when the run before broke off', () => {
    const after = written(releasePlan(FOUND));
    const again = releasePlan({ ...FOUND, day: '2026-02-01', texts: after, uncommitted: [...after.keys()] });
    expect(written(again).size).to.equal(0);
    expect(again).to.have.property('commit').with.members(RELEASED_FILES);
    expect(after.get(CHANGELOG)!.split('## 91.2.3')).to.have.length(2);
  });

  it('has nothing to write or commit when only the image is left to be built', () => {
    const plan = releasePlan({ ...FOUND, texts: written(releasePlan(FOUND)) });
    expect(plan).to.deep.equal({ kind: 'release', writes: [], commit: [] });
  });

  it('is none, with everything that is in the way', () => {
    const plan = releasePlan({
      ...FOUND,
      uncommitted: ['shared/src/domain/settle.ts', CHANGELOG],
      hasDocker: false,
      hasHelm: false,
    });
    expect(plan).to.deep.equal({
      kind: 'refused',
      because: [
        'shared/src/domain/settle.ts is not committed, and the image would not be what its commit says',
        'docker is not here, or its engine does not answer: it builds the image',
        'neither helm nor go is here to package the chart with',
      ],
    });
  });
});

describe("the image's build", () => {
  const facts = {
    version: '1.2.0',
    revision: 'abc',
    repository: 'registry.example.com/postrider',
    folder: '/src',
  };

  it('is told version and commit', () => {
    expect(imageBuild({ ...facts, env: {} }).join(' ')).to.equal(
      'build --target services --build-arg VERSION=1.2.0 --build-arg REVISION=abc' +
        ' --tag registry.example.com/postrider:1.2.0 /src',
    );
  });

  it('passes on where base image, packages and authorities come from', () => {
    const env = {
      NODE_IMAGE: 'mirror/node:24',
      NPM_CONFIG_REGISTRY: 'https://npm.example.com',
      NODE_EXTRA_CA_CERTS: '/etc/ssl/own.pem',
      HOME: '/root',
    };
    const args = imageBuild({ ...facts, env });
    for (const name of ['NODE_IMAGE', 'NPM_CONFIG_REGISTRY', 'NODE_EXTRA_CA_CERTS'] as const)
      expect(args).to.include(`${name}=${env[name]}`);
    expect(args.join(' ')).not.to.contain('HOME');
  });
});

describe('the files that are not committed', () => {
  it('are read from what git says, whatever their names', () => {
    expect(uncommittedFiles(' M package.json\0?? a file.txt\0')).to.deep.equal([
      'package.json',
      'a file.txt',
    ]);
    expect(uncommittedFiles('')).to.deep.equal([]);
  });
});
