import { expect } from 'chai';
import { type Request, repeatable } from '../src/session/repeatable.js';

/** Sends inputs with keys that are numbers, and records the key of each request. */
function aSender() {
  let begun = 0;
  const keys: string[] = [];
  const send = repeatable(() => ({ header: { 'Idempotency-Key': String(++begun) }, firstSentMs: begun }));
  const record = async (answer: Promise<string>, { header }: Request) => {
    keys.push(header['Idempotency-Key']);
    return answer;
  };
  return {
    keys,
    accept: (input: unknown) => send(input, (request) => record(Promise.resolve('done'), request)),
    lose: (input: unknown) =>
      send(input, (request) => record(Promise.reject(new TypeError('Failed to fetch')), request)).catch(
        (error: unknown) => error,
      ),
  };
}

describe('a request whose answer was lost', () => {
  // Regression: each press of a button was another request, so the second one created another endpoint or token.
  it('has the same key and time until it is accepted', async () => {
    const { keys, accept, lose } = aSender();
    expect(await lose({ name: 'deploy' })).to.be.instanceOf(TypeError);
    await lose({ name: 'deploy' });
    expect(await accept({ name: 'deploy' })).to.equal('done');
    await accept({ name: 'deploy' });
    expect(keys).to.deep.equal(['1', '1', '1', '2']);
  });

  it('keeps its key while another input is sent', async () => {
    const { keys, accept, lose } = aSender();
    await lose('whd_1');
    await accept('whd_2');
    await accept('whd_1');
    expect(keys).to.deep.equal(['1', '2', '1']);
  });
});
