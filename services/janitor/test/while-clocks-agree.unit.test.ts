import { expect } from 'chai';
import { whileClocksAgree } from '../src/while-clocks-agree.js';

describe('a task of the janitor', () => {
  const runWith = (offsetMs: number) => {
    let runs = 0;
    const task = { name: 'cleanup', run: async () => ({ handled: ++runs, isFinished: true }) };
    return whileClocksAgree(task, () => offsetMs)
      .run()
      .then(({ handled }) => handled)
      .catch((error: Error) => `${error.message} ${runs}`);
  };

  for (const offsetMs of [-60_000, 0, 60_000])
    it(`runs while the clocks differ by ${offsetMs} ms`, async () =>
      expect(await runWith(offsetMs)).to.equal(1));

  for (const offsetMs of [-61_000, 31 * 86_400_000])
    it(`does nothing while they differ by ${offsetMs} ms`, async () => {
      const problem = await runWith(offsetMs);
      expect(problem)
        .to.include(`differ by ${Math.abs(offsetMs) / 1_000} s`)
        .and.to.match(/ 0$/);
    });
});
