import { expect } from 'chai';
import { runParallel } from './run-parallel.js';

const FAULTS = [
  { name: 'one' },
  { name: 'comparing', healthy: ['/steady'] },
  { name: 'two' },
  { name: 'also comparing', healthy: ['/steady'] },
  { name: 'three' },
];
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('runParallel', () => {
  it('runs faults in parallel, then those that compare speeds one by one', async () => {
    const parallel: Record<string, number> = {};
    let running = 0;
    await runParallel(FAULTS, 2, async ({ name }) => {
      running += 1;
      await turn();
      parallel[name] = running;
      await turn();
      running -= 1;
    });
    expect(Object.keys(parallel)).to.deep.equal(['one', 'two', 'three', 'comparing', 'also comparing']);
    expect(parallel).to.include({ one: 2, two: 2, comparing: 1, 'also comparing': 1 });
  });

  it('starts no other fault after an error', async () => {
    const started: string[] = [];
    const error = await runParallel(FAULTS, 1, async ({ name }) => {
      started.push(name);
      if (name === 'two') throw new RangeError('broken');
    }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RangeError);
    expect(started).to.deep.equal(['one', 'two']);
  });
});
