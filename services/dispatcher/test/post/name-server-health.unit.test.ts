import { expect } from 'chai';
import { LookupFailed, LookupNotSent } from '../../src/post/failure.js';
import { createNameServerHealth } from '../../src/post/name-server-health.js';

const FOUND = { addresses: [{ address: '192.0.2.1', family: 4 }], ttlSeconds: 1 } as const;
const SILENCE = new LookupFailed('no response');
const UNCONTACTED = new LookupFailed('refused', { isUncontacted: true });
const SERVER_FAILURE = new LookupFailed('ESERVFAIL', { isServerFailure: true });
const ANSWERS = {
  'an address': Promise.resolve(FOUND),
  'no such name': new LookupFailed('ENOTFOUND', { noSuchName: true }),
};

function aHealth() {
  const { watch } = createNameServerHealth();
  return async (host: string, answer: LookupFailed | Promise<typeof FOUND>, hadServerFailure = true) => {
    const look = answer instanceof LookupFailed ? Promise.reject(answer) : answer;
    const result = await watch({ host, hadServerFailure }, look).catch((error: unknown) => error);
    return result instanceof LookupNotSent ? 'servers' : result instanceof LookupFailed ? 'name' : 'found';
  };
}

describe('health of name servers', () => {
  it('is responsible for silence of five names of one domain, of which one is the domain itself', async () => {
    const look = aHealth();
    await look('x.other.test', ANSWERS['an address']);
    const names = ['example.com', 'a.example.com', 'b.example.com', 'c.example.com', 'd.example.com'];
    const results: string[] = [];
    for (const name of names) results.push(await look(name, SILENCE));
    expect(results).to.deep.equal(['name', 'name', 'name', 'name', 'servers']);
  });

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

  it('is responsible when the names of five domains in a row get no usable response, until the next one', async () => {
    const look = aHealth();
    await look('ok.test', ANSWERS['an address']);
    const failures = [SERVER_FAILURE, SILENCE, SERVER_FAILURE, SERVER_FAILURE, SERVER_FAILURE, SILENCE];
    const results: string[] = [];
    for (const [index, failure] of failures.entries())
      results.push(await look(`hook.${index}.test`, failure));
    expect(results).to.deep.equal([...Array(4).fill('name'), 'servers', 'servers']);
    for (const answer of Object.values(ANSWERS)) {
      await look('ok.test', answer);
      expect(await look('hook.0.test', SERVER_FAILURE)).to.equal('name');
    }
  });

  it('is not responsible for a domain that is broken, however many names it has, even from the start', async () => {
    const look = aHealth();
    for (let name = 0; name < 100; name += 1)
      expect(await look(`hook${name}.broken.example`, SERVER_FAILURE)).to.equal('name');
    for (let name = 0; name < 4; name += 1) await look(`hook${name}.other.example`, SILENCE);
    for (let name = 0; name < 100; name += 1)
      for (const failure of [SERVER_FAILURE, SILENCE])
        expect(await look(`hook${name}.other.example`, failure)).to.equal('name');
  });

  it('is responsible for the first failure that servers report for a name, and not for a first silence', async () => {
    const look = aHealth();
    await look('ok.test', ANSWERS['an address']);
    expect(await look('a.test', SERVER_FAILURE, false)).to.equal('servers');
    expect(await look('a.test', SERVER_FAILURE)).to.equal('name');
    expect(await look('b.test', SILENCE, false)).to.equal('name');
  });

  describe('that recovers', () => {
    const recover = async (failedNames: number, failure = SILENCE) => {
      const look = aHealth();
      if (failedNames > 0) await look('ok.test', ANSWERS['an address']);
      for (let name = 0; name < failedNames; name += 1) await look(`name${name}.test`, failure);
      const pending = Promise.withResolvers<typeof FOUND>();
      const begun = ['a', 'b', 'c', 'd', 'e'].map((host) => look(`${host}.test`, pending.promise));
      await look('ok.test', ANSWERS['an address']);
      pending.reject(failure);
      return { look, begun: await Promise.all(begun) };
    };
    for (const [when, failedNames, failure] of [
      ['there was no response since the start', 0, SILENCE],
      ['there was no response for five names', 5, SILENCE],
      ['servers failed for the names of five domains', 5, SERVER_FAILURE],
    ] as const)
      it(`is responsible for lookups that began while ${when}, however late they fail`, async () => {
        expect((await recover(failedNames, failure)).begun).to.deep.equal(Array(5).fill('servers'));
      });

    for (const [what, failure] of [
      ['silence about', SILENCE],
      ['failures of servers for', SERVER_FAILURE],
    ] as const)
      it(`is not responsible for lookups that began before ${what} five names, nor for later ones`, async () => {
        const { look, begun } = await recover(4, failure);
        expect(begun.slice(0, 4)).to.deep.equal(Array(4).fill('name'));
        expect(await look('ok.test', ANSWERS['an address'])).to.equal('found');
        expect(await look('f.test', failure)).to.equal('name');
      });

    it('is not responsible for failures of servers from the start', async () => {
      expect((await recover(0, SERVER_FAILURE)).begun.slice(0, 4)).to.deep.equal(Array(4).fill('name'));
    });

    it('counts as many names after a response as before, whatever began earlier', async () => {
      const { look } = await recover(5);
      const results: string[] = [];
      for (const host of ['f', 'g', 'h', 'i', 'j']) results.push(await look(`${host}.test`, SILENCE));
      expect(results).to.deep.equal([...Array(4).fill('name'), 'servers']);
    });
  });

  it('is responsible when no server can be contacted', async () => {
    const look = aHealth();
    await look('ok.test', ANSWERS['an address']);
    expect(await look('a.test', UNCONTACTED)).to.equal('servers');
  });
});
