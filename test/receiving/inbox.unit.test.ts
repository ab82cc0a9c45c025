import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';

interface Sample {
  readonly openInbox: (
    path: string,
    handle: (id: string) => void,
  ) => { readonly add: (id: string, body: string) => void };
}

const INBOX = new URL('../../../docs/receiving/node/inbox.mjs', import.meta.url).href;

describe('inbox of the Node sample', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('reports a delivery whose handler fails, and handles it and those behind it later', async () => {
    const { openInbox } = (await import(INBOX)) as Sample;
    const reported = mock.method(console, 'error', () => {});
    const handled: string[] = [];
    let failures = 1;
    const inbox = openInbox(':memory:', (id) => {
      if (id === 'whd_1' && failures-- > 0) throw new Error('no connection');
      handled.push(id);
    });
    inbox.add('whd_1', '{}');
    await setImmediate();
    expect(handled).to.deep.equal([]);
    expect(reported.mock.calls[0]?.arguments[0]).to.include('whd_1');
    reported.mock.restore();

    mock.timers.tick(1_000);
    expect(handled).to.deep.equal(['whd_1']);

    inbox.add('whd_2', '{}');
    await setImmediate();
    expect(handled).to.deep.equal(['whd_1', 'whd_2']);
  });

  // Regression: each delivery that came meanwhile started further tries, each of which was repeated every second.
  it('calls a handler that fails once a second, however many deliveries come', async () => {
    const { openInbox } = (await import(INBOX)) as Sample;
    const reported = mock.method(console, 'error', () => {});
    let calls = 0;
    const inbox = openInbox(':memory:', () => {
      calls += 1;
      throw new Error('no connection');
    });
    for (let n = 0; n < 50; n += 1) {
      inbox.add(`whd_${n}`, '{}');
      await setImmediate();
      mock.timers.tick(40);
    }
    reported.mock.restore();
    expect(calls).to.be.within(2, 4);
  });
});
