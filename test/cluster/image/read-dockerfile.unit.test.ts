import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#dev/start/paths';
import { readDockerfile } from './read-dockerfile.js';

describe('readDockerfile', () => {
  const contents = readDockerfile(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));

  it('finds the workspaces', () => {
    expect(contents.manifests).to.include.members(['shared/package.json', 'services/api/package.json']);
    expect(contents.installed).to.include.members(['@postrider/shared', '@postrider/dispatcher']);
  });

  it('finds what is copied of a built checkout', () =>
    expect(contents.built).to.include.members([
      'dist',
      'shared/dist/src',
      'services/*/dist/src',
      'deploy/image',
      'docs/support.md',
    ]));

  it('finds the variables, without quotes', () => {
    expect(contents.env).to.include('NODE_ENV=production');
    expect(contents.env.find((one) => one.startsWith('NODE_OPTIONS='))).to.match(/^NODE_OPTIONS=--/);
  });

  it('rejects a Dockerfile that is written differently', () =>
    expect(() => readDockerfile('FROM node:24\n')).to.throw('manifests'));
});
