import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import type { Service } from '../processes/service.js';
import { ROLLOUTS, replaceProcess } from './replace.js';

describe('replacement of a process', () => {
  it('migrates first and has the new API ready before the old one is stopped', async () => {
    const steps: string[] = [];
    const record = (step: string) => async () => void steps.push(step);
    const environment = {
      run: async (job: string) => void steps.push(job),
      start: async (service: string) => {
        steps.push(`${service} ready`);
        return {} as Service;
      },
      pause: async (ms: number) => void steps.push(`${ms} ms`),
      stop: record('old one stopped'),
    };
    await replaceProcess(environment, { name: 'api' } as Service, () => void steps.push('leaving'));
    expect(steps).to.deep.equal(['migrate', 'api ready', 'leaving', '5000 ms', 'old one stopped']);
  });

  const manifest = (file: string) => {
    const text = readFileSync(new URL(`../../../deploy/k8s/base/${file}`, import.meta.url), 'utf8');
    return parseAllDocuments(text)[0]?.toJS();
  };

  for (const [name, { first, preStopMs }] of Object.entries(ROLLOUTS)) {
    it(`matches the manifest of the ${name}`, () => {
      const { initContainers = [], containers } = manifest(`${name}.yaml`).spec.template.spec;
      const args = initContainers.map((container: { args: string[] }) => container.args);
      expect(args).to.deep.equal(first === null ? [] : [['admin', first]]);
      const sleep = containers[0].lifecycle?.preStop.exec.command ?? ['sleep', '0'];
      expect(sleep).to.deep.equal(['sleep', `${preStopMs / 1_000}`]);
    });
  }

  it('matches the rolling update of the deployments, and the janitor is a job', () => {
    const { strategy } = manifest('deployment.yaml').spec;
    expect(strategy.rollingUpdate).to.deep.equal({ maxSurge: 1, maxUnavailable: 0 });
    expect(manifest('janitor.yaml').kind).to.equal('CronJob');
  });
});
