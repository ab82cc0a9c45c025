import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

describe('privileges of the processes', () => {
  it('do not include root: each final stage of the image sets another user', () => {
    const stages = read('Dockerfile')
      .split(/^FROM /m)
      .slice(1);
    const run = stages.filter((stage) => /^(ENTRYPOINT|CMD) /m.test(stage));
    expect(run).to.have.length.above(0);
    for (const stage of run)
      expect(/^USER (\S+)/m.exec(stage)?.[1], stage.split('\n')[0]).to.match(/^[1-9]\d*:/);
  });

  const OF_CONTAINERS = ['allowPrivilegeEscalation: false', 'readOnlyRootFilesystem: true', 'drop: [ALL]'];
  const OF_PODS = ['runAsNonRoot: true', ...OF_CONTAINERS];
  for (const [path, settings] of [
    // The pod of the api is that of deployment.yaml, with another container.
    ['deploy/k8s/base/api.yaml', OF_CONTAINERS],
    ['deploy/k8s/base/deployment.yaml', OF_PODS],
    ['deploy/k8s/base/job.yaml', OF_PODS],
    ['deploy/helm/postrider/templates/_helpers.tpl', OF_PODS],
  ] as const) {
    it(`are minimal in ${path}`, () => {
      const text = read(path);
      for (const setting of settings) expect(text).to.include(setting);
    });
  }

  it('are not extended in any manifest', () => {
    const files = globSync('deploy/**/*.{yaml,tpl}', { cwd: ROOT });
    expect(files).to.have.length.above(10);
    for (const file of files)
      expect(read(file), file).not.to.match(
        /privileged: true|runAsNonRoot: false|runAsUser: 0\b|hostNetwork: true/,
      );
  });
});
