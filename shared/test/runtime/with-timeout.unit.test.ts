import { expect } from 'chai';
import { withTimeout } from '../../src/runtime/with-timeout.js';

describe('withTimeout', () => {
  const never = new Promise<string>(() => undefined);
  const late = () => Promise.reject(new Error('too late'));
  const failure = (promise: Promise<unknown>) => promise.catch((error: Error) => error.message);

  it('resolves and rejects as the work does in time', async () => {
    expect(await withTimeout(Promise.resolve('done'), 1_000, late)).to.equal('done');
    expect(await failure(withTimeout(Promise.reject(new Error('broken')), 1_000, late))).to.equal('broken');
  });

  it('settles as onTimeout does when the work takes too long', async () => {
    expect(await failure(withTimeout(never, 1, late))).to.equal('too late');
    expect(await withTimeout(never, 1, async () => 'fallback')).to.equal('fallback');
  });

  it('leaves no unhandled rejection when the work fails after the time-out', async () => {
    const work = Promise.withResolvers<string>();
    const unhandled: unknown[] = [];
    const record = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', record);
    try {
      expect(await withTimeout(work.promise, 1, async () => 'fallback')).to.equal('fallback');
      work.reject(new Error('broken'));
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', record);
    }
  });
});
