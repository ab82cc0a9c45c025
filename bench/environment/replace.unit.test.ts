import { expect } from 'chai';
import type { ServiceProcess } from '#dev/processes/start-service';
import { replaceProcess } from './replace.js';

describe('replacement of a process', () => {
  const stepsOf = async (name: ServiceProcess['name']) => {
    const steps: string[] = [];
    const environment = {
      run: async (job: string) => void steps.push(job),
      start: async (service: string) => {
        steps.push(`${service} ready`);
        return {} as ServiceProcess;
      },
      sleep: async (ms: number) => void steps.push(`${ms} ms`),
      stop: async () => void steps.push('old one stopped'),
    };
    await replaceProcess(environment, { name } as ServiceProcess, () => void steps.push('leaving'));
    return steps;
  };

  it('migrates first and has the new API ready before the old one is stopped', async () => {
    const steps = ['migrate', 'api ready', 'leaving', '5000 ms', 'old one stopped'];
    expect(await stepsOf('api')).to.deep.equal(steps);
  });

  it('of a dispatcher needs no migration and no delay', async () => {
    const steps = ['dispatcher ready', 'leaving', '0 ms', 'old one stopped'];
    expect(await stepsOf('dispatcher')).to.deep.equal(steps);
  });
});
