import { expect } from 'chai';
import { LookupFailed, LookupNotSent } from '../../src/post/failure.js';
import { createNameServerHealth } from '../../src/post/name-server-health.js';

const FOUND = { addresses: [{ address: '192.0.2.1', family: 4 }], ttlSeconds: 1 } as const;
const SILENCE = new LookupFailed('no response');
const UNCONTACTED = new LookupFailed('refused', { isUncontacted: true });
const ANSWERS = {
  'an address': Promise.resolve(FOUND),
  'no such name': new LookupFailed('ENOTFOUND', { noSuchName: true }),
  'a failure of the server': new LookupFailed('ESERVFAIL', { isAnswered: true }),
};

function aHealth() {
  const { watch } = createNameServerHealth();
  return async (host: string, answer: LookupFailed | Promise<typeof FOUND>) => {
    const look = answer instanceof LookupFailed ? Promise.reject(answer) : answer;
    const result = await watch(host, look).catch((error: unknown) => error);
    return result instanceof LookupNotSent ? 'servers' : result instanceof LookupFailed ? 'name' : 'found';
  };
}

describe('health of name servers', () => {
  it('is responsible for silence until a first response', async () => {
    const look = aHealth();
    expect(await look('a.test', SILENCE)).to.equal('servers');
    expect(await look('b.test', ANSWERS['no such name'])).to.equal('name');
    expect(await look('a.test', SILENCE)).to.equal('name');
  });

  it('is responsible when five names in a row get no response, until the next response', async () => {
    const look = aHealth();
    await look('ok.test', ANSWERS['an address']);
    const hosts = ['a', 'b', 'c', 'd', 'd', 'e', 'f', 'a'];
    const results: string[] = [];
    for (const host of hosts) results.push(await look(host, SILENCE));
    expect(results).to.deep.equal([...Array(5).fill('name'), 'servers', 'servers', 'servers']);
    for (const answer of Object.values(ANSWERS)) {
      await look('ok.test', answer);
      expect(await look('a', SILENCE)).to.equal('name');
    }
  });

  it('is responsible when no server can be contacted', async () => {
    const look = aHealth();
    await look('ok.test', ANSWERS['an address']);
    expect(await look('a.test', UNCONTACTED)).to.equal('servers');
  });
});
