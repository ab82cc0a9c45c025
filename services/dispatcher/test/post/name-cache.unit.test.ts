import { mock } from 'node:test';
import { expect } from 'chai';
import { LookupFailed, LookupNotSent } from '../../src/post/failure.js';
import { createNameCache, type LookupRequest, type ResolvedName } from '../../src/post/name-cache.js';

const FOUND: ResolvedName = { addresses: [{ address: '192.0.2.1', family: 4 }], ttlSeconds: 10 };
const RESOLUTION = { kind: 'found', addresses: FOUND.addresses };
const NO_ANSWER = new LookupFailed('a.test: no answer');
const NO_SUCH_NAME = new LookupFailed('a.test: ENOTFOUND', { noSuchName: true });
const HOUR_MS = 3_600_000;

function cacheOver(lookUp: (host: string) => Promise<ResolvedName>) {
  const clock = { nowMs: 1_000 };
  const asked: LookupRequest[] = [];
  const world = { lookUp, stale: 0 };
  const cache = createNameCache({
    lookUp: (request) => {
      asked.push(request);
      return world.lookUp(request.host);
    },
    monotonicMs: () => clock.nowMs,
    onStale: () => {
      world.stale += 1;
    },
  });
  const resolve = (host: string, endpointId = 'whe_1') =>
    cache.resolve(host, { workspaceId: 'ws_1', endpointId });
  return { resolve, known: cache.known, asked, clock, world };
}

describe('name cache', () => {
  afterEach(() => mock.timers.reset());

  it('looks a name up once during its time to live and again afterwards', async () => {
    const { resolve, asked, clock } = cacheOver(async () => FOUND);
    expect(await resolve('a.test')).to.deep.equal(RESOLUTION);
    clock.nowMs += 9_999;
    await resolve('a.test');
    expect(asked).to.have.length(1);
    clock.nowMs += 1;
    await resolve('a.test');
    expect(asked).to.have.length(2);
  });

  it('caches no answer for more than 30 s, and none with a time to live of 0', async () => {
    const long = cacheOver(async () => ({ ...FOUND, ttlSeconds: 86_400 }));
    await long.resolve('a.test');
    long.clock.nowMs += 30_000;
    await long.resolve('a.test');
    expect(long.asked).to.have.length(2);

    const none = cacheOver(async () => ({ ...FOUND, ttlSeconds: 0 }));
    await none.resolve('a.test');
    await none.resolve('a.test');
    expect(none.asked).to.have.length(2);
  });

  it('shares one lookup among concurrent callers', async () => {
    let found: (answer: ResolvedName) => void = () => {};
    const { resolve, asked } = cacheOver(() => new Promise((settle) => (found = settle)));
    const both = Promise.all([resolve('a.test'), resolve('a.test')]);
    found(FOUND);
    expect(await both).to.deep.equal([RESOLUTION, RESOLUTION]);
    expect(asked).to.have.length(1);
  });

  it('postpones everything for three seconds after a failure, and looks up again then', async () => {
    const { resolve, asked, clock } = cacheOver(() => Promise.reject(NO_ANSWER));
    expect(await resolve('a.test')).to.deep.equal({ kind: 'failed', error: NO_ANSWER });
    clock.nowMs += 2_999;
    expect(await resolve('a.test')).to.deep.equal({ kind: 'postponed', forMs: 1 });
    expect(asked).to.have.length(1);
    clock.nowMs += 1;
    expect(await resolve('a.test')).to.deep.equal({ kind: 'failed', error: NO_ANSWER });
    expect(asked.map(({ wasUnanswered }) => wasUnanswered)).to.deep.equal([false, true]);
  });

  it('reports the failure of a lookup once for each endpoint', async () => {
    const { resolve } = cacheOver(() => Promise.reject(NO_ANSWER));
    const calls = ['whe_1', 'whe_1', 'whe_2', 'whe_1', 'whe_2'].map((endpoint) =>
      resolve('a.test', endpoint),
    );
    const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
    expect(kinds).to.deep.equal(['failed', 'postponed', 'failed', 'postponed', 'postponed']);
  });

  it('postpones a name whose lookup was not sent', async () => {
    const { resolve, asked, clock } = cacheOver(() => Promise.reject(new LookupNotSent('a.test')));
    expect(await resolve('a.test')).to.deep.equal({ kind: 'postponed', forMs: 1_000 });
    clock.nowMs += 1_000;
    await resolve('a.test');
    expect(asked.map(({ wasUnanswered }) => wasUnanswered)).to.deep.equal([false, false]);
  });

  it('says whether name servers failed for a name since their last answer, counted or not', async () => {
    const isServerFailure = true;
    const counted = new LookupFailed('a.test: ESERVFAIL', { isServerFailure });
    const notCounted = new LookupNotSent('a.test', { isServerFailure });
    const others = [new LookupNotSent('a.test'), NO_ANSWER];
    const results = [...others, notCounted, ...others, FOUND, counted, NO_SUCH_NAME, FOUND];
    const { resolve, asked, clock } = cacheOver(async () => {
      const result = results[asked.length - 1];
      if (result instanceof Error) throw result;
      return FOUND;
    });
    for (const _ of results) {
      await resolve('a.test');
      clock.nowMs += 2 * HOUR_MS;
    }
    expect(asked.map(({ hadServerFailure }) => hadServerFailure)).to.deep.equal([
      ...[false, false, false],
      ...[true, true, true],
      ...[false, true, false],
    ]);
  });

  it('uses the last addresses for an hour while lookups fail', async () => {
    const { resolve, clock, world, asked } = cacheOver(async () => FOUND);
    await resolve('a.test');
    world.lookUp = () => Promise.reject(NO_ANSWER);
    clock.nowMs += 10_000;
    expect(await resolve('a.test')).to.deep.equal(RESOLUTION);
    expect(await resolve('a.test')).to.deep.equal(RESOLUTION);
    expect(asked).to.have.length(2);
    clock.nowMs += HOUR_MS - 1;
    expect(await resolve('a.test')).to.deep.equal(RESOLUTION);
    expect(world.stale).to.equal(3);
    clock.nowMs += 3_001;
    expect(await resolve('a.test')).to.include({ kind: 'failed' });
  });

  it('uses the last addresses if new ones do not come soon', async () => {
    const { resolve, clock, world } = cacheOver(async () => FOUND);
    await resolve('a.test');
    clock.nowMs += 10_000;
    world.lookUp = () => new Promise(() => {});
    expect(await resolve('a.test')).to.deep.equal(RESOLUTION);
  });

  it('reports the failure of a lookup without an answer, once the last addresses are too old', async () => {
    const { resolve, clock, world } = cacheOver(async () => FOUND);
    await resolve('a.test');
    clock.nowMs += 10_000 + HOUR_MS;
    mock.timers.enable({ apis: ['setTimeout'] });
    world.lookUp = () => new Promise((_, reject) => setTimeout(reject, 5_000, NO_ANSWER));
    const resolution = resolve('a.test');
    mock.timers.tick(200);
    await new Promise((settled) => setImmediate(settled));
    mock.timers.tick(4_800);
    expect(await resolution).to.deep.equal({ kind: 'failed', error: NO_ANSWER });
    expect(await resolve('a.test')).to.deep.equal({ kind: 'postponed', forMs: 3_000 });
  });

  it('forgets the addresses of a name that does not exist any more', async () => {
    const { resolve, known, clock, world } = cacheOver(async () => FOUND);
    await resolve('a.test');
    expect(known('a.test')).to.deep.equal(FOUND.addresses);
    world.lookUp = () => Promise.reject(NO_SUCH_NAME);
    clock.nowMs += 10_000;
    expect(await resolve('a.test')).to.deep.equal({ kind: 'failed', error: NO_SUCH_NAME });
    expect(known('a.test')).to.equal(null);
  });

  it('forgets names that were not used until their addresses are too old, two with each new name', async () => {
    const { resolve, known, clock } = cacheOver(async () => FOUND);
    for (const host of ['a.test', 'b.test', 'c.test', 'used.test']) await resolve(host);
    clock.nowMs += 30_000 + HOUR_MS - 1;
    await resolve('used.test');
    await resolve('new.test');
    const kept = () =>
      ['a.test', 'b.test', 'c.test', 'used.test', 'new.test'].filter((host) => known(host) !== null);
    expect(kept()).to.have.length(5);
    clock.nowMs += 1;
    await resolve('newer.test');
    expect(kept()).to.deep.equal(['c.test', 'used.test', 'new.test']);
    await resolve('newest.test');
    expect(kept()).to.deep.equal(['used.test', 'new.test']);
  });

  it('evicts the least recently used name beyond its capacity', async () => {
    const { resolve, asked } = cacheOver(async () => FOUND);
    for (let index = 0; index <= 30_000; index += 1) await resolve(`${index}.test`);
    await resolve('30000.test');
    expect(asked).to.have.length(30_001);
    await resolve('0.test');
    expect(asked).to.have.length(30_002);
  });
});
