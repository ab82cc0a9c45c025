import { expect } from 'chai';
import { abandonOn } from '../../src/runtime/abandon-on.js';

const never = () => new Promise<never>(() => undefined);

describe('abandonOn', () => {
  it('settles as the work does', async () => {
    const { signal } = new AbortController();
    expect(await abandonOn(signal, Promise.resolve('done'))).to.equal('done');
    const failure = new Error('broken');
    const result = await abandonOn(signal, Promise.reject(failure)).catch((error) => error);
    expect(result).to.equal(failure);
  });

  it('rejects with the reason once the signal is aborted', async () => {
    const controller = new AbortController();
    const result = abandonOn(controller.signal, never()).catch((error) => error);
    controller.abort();
    expect(await result).to.equal(controller.signal.reason);
  });

  it('rejects if the signal is aborted already, and ignores how the work ends', async () => {
    const signal = AbortSignal.abort();
    const result = await abandonOn(signal, Promise.reject(new Error('too late'))).catch((error) => error);
    expect(result).to.equal(signal.reason);
  });
});
