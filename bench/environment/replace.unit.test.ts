import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { parseAllDocuments } from 'yaml';
import type { Service, ServiceName } from '../processes/service.js';
import { ROLLOUTS, replace } from './replace.js';

describe('the replacing of a process', () => {
  const replaced = async (name: ServiceName): Promise<string[]> => {
    const done: string[] = [];
    const note = (what: string) => async () => void done.push(what);
    const old = { name } as Service;
    await replace(
      {
        run: async (job) => void done.push(`${job} has run`),
        start: async (service) => {
          done.push(`${service} is ready`);
          return {} as Service;
        },
        pause: async (ms) => void (ms > 0 && done.push(`${ms} ms pass`)),
        stop: note('the old one is stopped'),
      },
      { old, onLeaving: () => void done.push('the old one is leaving') },
    );
    return done;
  };

  it('has the new one ready before the old one goes', async () => {
    expect(await replaced('dispatcher')).to.deep.equal([
      'dispatcher is ready',
      'the old one is leaving',
      'the old one is stopped',
    ]);
  });

  it('migrates before an api, and lets the old one serve until everybody knows', async () => {
    expect(await replaced('api')).to.deep.equal([
      'migrate has run',
      'api is ready',
      'the old one is leaving',
      '5000 ms pass',
      'the old one is stopped',
    ]);
  });

  describe('is what the manifests say', () => {
    const read = (file: string) => {
      const text = readFileSync(new URL(`../../../deploy/k8s/base/${file}`, import.meta.url), 'utf8');
      return parseAllDocuments(text)[0]?.toJS();
    };
    for (const [name, { first, preStopMs }] of Object.entries(ROLLOUTS)) {
      it(`of the ${name}`, () => {
        const { initContainers = [], containers } = read(`${name}.yaml`).spec.template.spec;
        const args = initContainers.map((container: { args: string[] }) => container.args);
        expect(args).to.deep.equal(first === null ? [] : [['admin', first]]);
        const sleep = containers[0].lifecycle?.preStop.exec.command ?? ['sleep', '0'];
        expect(sleep).to.deep.equal(['sleep', `${preStopMs / 1_000}`]);
      });
    }

    it('of all deployments', () => {
      const { strategy } = read('deployment.yaml').spec;
      expect(strategy.rollingUpdate).to.deep.equal({ maxSurge: 1, maxUnavailable: 0 });
    });

    it('of the janitor, which is a job', () => {
      expect(read('janitor.yaml').kind).to.equal('CronJob');
    });
  });
});
