import { expect } from 'chai';
import { createSharedPayloads } from '../../src/streams/shared-payloads.js';

function somePayloads(maxBytes = 1_000) {
  const reads: (readonly string[])[] = [];
  const world = { fails: false };
  const shared = createSharedPayloads(async (ids) => {
    reads.push(ids);
    if (world.fails) throw new Error('no primary');
    return new Map(ids.filter((id) => id !== 'expired').map((id) => [id, { of: id }]));
  }, maxBytes);
  return { shared, reads, world };
}

describe('shared payloads', () => {
  it('are read once for all that ask at about the same time', async () => {
    const { shared, reads } = somePayloads();
    const [one, other] = await Promise.all([shared.read(['a', 'b']), shared.read(['b', 'expired'])]);
    expect([...one]).to.deep.equal([
      ['a', '{"of":"a"}'],
      ['b', '{"of":"b"}'],
    ]);
    expect(other.get('expired')).to.equal('null');
    await shared.read(['a', 'b']);
    expect(reads).to.deep.equal([['a', 'b'], ['expired']]);
  });

  it('are forgotten with the second call, or when they are too many', async () => {
    const { shared, reads } = somePayloads(40);
    await shared.read(['a']);
    shared.forgetOlder();
    await shared.read(['a']);
    expect(reads).to.have.length(1);
    shared.forgetOlder();
    await shared.read(['a']);
    expect(reads).to.have.length(2);
    for (const id of ['b', 'c', 'd', 'e', 'f']) await shared.read([id]);
    await shared.read(['a']);
    expect(reads).to.have.length(8);
  });

  it('are all forgotten when they are cleared', async () => {
    const { shared, reads } = somePayloads();
    await shared.read(['a']);
    shared.forgetOlder();
    await shared.read(['b']);
    shared.clear();
    await shared.read(['a', 'b']);
    expect(reads).to.deep.equal([['a'], ['b'], ['a', 'b']]);
  });

  it('are read again after a failure', async () => {
    const { shared, world } = somePayloads();
    world.fails = true;
    const failure = await shared.read(['a']).catch((error: Error) => error.message);
    expect(failure).to.equal('no primary');
    world.fails = false;
    expect((await shared.read(['a'])).get('a')).to.equal('{"of":"a"}');
  });
});
