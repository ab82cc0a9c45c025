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
  if (plan.kind === 'blocked') throw new Error(plan.because.join());
  return new Map(plan.writes.map(({ file, text }) => [file, text]));
}

describe('the plan of a release', () => {
  it('writes every file that names the version, and commits them all', () => {
    const plan = releasePlan(FOUND);
    expect([...written(plan).keys()]).to.have.members(RELEASED_FILES);
    expect(plan).to.have.property('commit').with.members(RELEASED_FILES);
  });

  // A run whose image build failed had written its files; the next one added a second heading to the changelog.
  it('writes nothing twice after an interrupted run', () => {
    const after = written(releasePlan(FOUND));
    const again = releasePlan({ ...FOUND, day: '2026-02-01', texts: after, uncommitted: [...after.keys()] });
    expect(written(again).size).to.equal(0);
    expect(again).to.have.property('commit').with.members(RELEASED_FILES);
    expect(after.get(CHANGELOG)!.split('## 91.2.3')).to.have.length(2);
  });

  it('writes and commits nothing when only the image remains to be built', () => {
    const plan = releasePlan({ ...FOUND, texts: written(releasePlan(FOUND)) });
    expect(plan).to.deep.equal({ kind: 'release', writes: [], commit: [] });
  });

  it('is blocked, with every reason', () => {
    const plan = releasePlan({
      ...FOUND,
      uncommitted: ['shared/src/domain/settle.ts', CHANGELOG],
      hasDocker: false,
      hasHelm: false,
    });
    expect(plan).to.deep.equal({
      kind: 'blocked',
      because: [
        'shared/src/domain/settle.ts is not committed, so the image would differ from its commit',
        'docker is not installed, or its engine does not answer: it builds the image',
        'neither helm nor go is installed to package the chart',
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

  it('gets version and commit as build arguments', () => {
    expect(imageBuild({ ...facts, env: {} }).join(' ')).to.equal(
      'build --target services --build-arg VERSION=1.2.0 --build-arg REVISION=abc' +
        ' --tag registry.example.com/postrider:1.2.0 /src',
    );
  });

  it('gets the sources of base image, packages and authorities', () => {
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
  it('are parsed from the output of git status', () => {
    expect(uncommittedFiles(' M package.json\0?? a file.txt\0')).to.deep.equal([
      'package.json',
      'a file.txt',
    ]);
    expect(uncommittedFiles('')).to.deep.equal([]);
  });
});
