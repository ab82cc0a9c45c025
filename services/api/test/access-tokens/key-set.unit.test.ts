import { nextTurn } from '@postrider/shared/runtime/turns';
import { expect } from 'chai';
import { errors } from 'jose';
import { createKeySet, KeysUnavailable } from '../../src/access-tokens/key-set.js';
import { recordedLog } from '../recorded-log.js';
import { type TestKey, testKey } from './test-key.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('key set of the authorization server', () => {
  let first: TestKey;
  let second: TestKey;
  let now: number;
  let fetches: number;
  let published: TestKey[] | null;
  before(async () => {
    [first, second] = await Promise.all([testKey('k1'), testKey('k2')]);
  });
  beforeEach(() => {
    [now, fetches, published] = [60 * MINUTE, 0, [first]];
  });

  const keySet = () => {
    const log = recordedLog();
    const load = async () => {
      fetches += 1;
      await nextTurn();
      if (published === null) throw new Error('connection refused');
      return { keys: published.map(({ publicJwk }) => publicJwk) };
    };
    const find = createKeySet({ load, monotonicMs: () => now, log });
    const key = (kid?: string) =>
      find({ alg: 'ES256', ...(kid !== undefined && { kid }) }, { payload: '', signature: '' });
    const refusal = (kid?: string) => Promise.resolve(key(kid)).catch((error: unknown) => error);
    return { key, refusal, log };
  };

  it('is fetched once for many tokens', async () => {
    const { key } = keySet();
    await Promise.all(Array.from({ length: 20 }, () => key('k1')));
    await key('k1');
    expect(fetches).to.equal(1);
  });

  it('is fetched again for a new key', async () => {
    const { key } = keySet();
    await key('k1');
    published = [first, second];
    now += 10 * SECOND;
    await key('k2');
    expect(fetches).to.equal(2);
  });

  it('is fetched at most every 10 s for unknown keys', async () => {
    const { key, refusal } = keySet();
    await key('k1');
    for (const end = now + MINUTE; now < end; now += SECOND)
      expect(await refusal(`made-up-${now}`)).to.be.instanceOf(errors.JWKSNoMatchingKey);
    expect(fetches).to.equal(6);
  });

  it('is not fetched again for a token without a key id, which several keys match', async () => {
    const { key, refusal } = keySet();
    published = [first, second];
    await key('k1');
    now += 10 * SECOND;
    expect(await refusal()).to.be.instanceOf(errors.JWKSMultipleMatchingKeys);
    expect(fetches).to.equal(1);
  });

  it('is fetched again after 10 minutes, while the old keys are used', async () => {
    const { key } = keySet();
    await key('k1');
    published = [second];
    now += 10 * MINUTE - 1;
    await key('k1');
    expect(fetches).to.equal(1);
    now += 1;
    await key('k1');
    expect(fetches).to.equal(2);
    await key('k2');
    expect(fetches, 'k2 is known by now').to.equal(2);
  });

  it('survives an outage of the server for less than an hour', async () => {
    const { key, refusal, log } = keySet();
    await key('k1');
    published = null;
    now += 59 * MINUTE;
    await key('k1');
    now += 2 * MINUTE;
    expect(await refusal('k1')).to.be.instanceOf(KeysUnavailable);
    expect(log.lines.map(({ facts }) => facts.event)).to.include('oauth.keys_unavailable');
  });

  it('is unavailable, not without the key, while it cannot be fetched', async () => {
    const { key, refusal } = keySet();
    published = null;
    expect(await refusal('k1')).to.be.instanceOf(KeysUnavailable);
    expect(await refusal('k1')).to.be.instanceOf(KeysUnavailable);
    expect(fetches).to.equal(1);
    published = [first];
    now += 10 * SECOND;
    await key('k1');
    published = null;
    now += 10 * SECOND;
    expect(await refusal('k2')).to.be.instanceOf(KeysUnavailable);
    await key('k1');
  });
});
