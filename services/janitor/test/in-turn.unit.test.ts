import { expect } from 'chai';
import { inTurn } from '../src/in-turn.js';

describe('two tasks in turn', () => {
  for (const [what, end] of [
    ['succeeds', async () => ({ handled: 1, isFinished: true })],
    ['fails', () => Promise.reject(new Error('the database is away'))],
  ] as const)
    it(`begin the second once the first ${what}`, async () => {
      const begun: string[] = [];
      const pending = Promise.withResolvers<void>();
      const [digest, cleanup] = inTurn(
        { name: 'digest', run: () => pending.promise.then(end) },
        {
          name: 'cleanup',
          async run() {
            begun.push('cleanup');
            return { handled: 2, isFinished: true };
          },
        },
      );
      const running = Promise.allSettled([cleanup.run(), digest.run()]);
      await new Promise((resolve) => setImmediate(resolve));
      expect(begun).to.deep.equal([]);
      pending.resolve();
      const [result] = await running;
      expect(begun).to.deep.equal(['cleanup']);
      expect(result).to.include({ status: 'fulfilled' });
    });
});
