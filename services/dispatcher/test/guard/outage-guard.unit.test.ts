import { expect } from 'chai';
import { createGuardCore, type GuardSettings, TICK_MS } from '../../src/guard/outage-guard.js';
import type { Reach } from '../../src/ports/guard.js';
import { SETTINGS } from './domains.js';

interface Endpoint {
  readonly workspaceId: string;
  readonly origin: string;
}

/** So many workspaces with so many endpoints each, every one at a domain of its own. */
const population = (workspaces: number, each: number): Endpoint[] =>
  Array.from({ length: workspaces * each }, (_, index) => ({
    workspaceId: `ws${index % workspaces}`,
    origin: `https://hooks.customer${index}.example`,
  }));

/** A guard in virtual time, with the number of observations by verdict. */
function aGuard(settings: Partial<GuardSettings> = {}, hasReferences = false) {
  const world = { now: 0, recorded: 0, discarded: 0, resumed: 0 };
  const core = createGuardCore({
    settings: { ...SETTINGS, ...settings },
    now: () => world.now,
    hasReferences,
  });
  core.onAllowed(() => {
    world.resumed += 1;
  });
  const verdicts = {
    record: () => {
      world.recorded += 1;
    },
    discard: () => {
      world.discarded += 1;
    },
  };
  const post = (endpoint: Endpoint, reach: Reach) => core.judge({ ...endpoint, reach }, verdicts);
  /** Lets seconds pass. In each, every endpoint is tried once unless sending is held. */
  const pass = (seconds: number, endpoints: readonly Endpoint[], reachOf: (endpoint: Endpoint) => Reach) => {
    for (let second = 0; second < seconds; second += 1) {
      for (const endpoint of endpoints) if (core.allowance() > 0) post(endpoint, reachOf(endpoint));
      world.now += TICK_MS;
      if (core.isActive()) core.tick([]);
    }
  };
  return Object.assign(world, { core, post, pass });
}

const ANSWERED = (): Reach => 'answered';
const UNREACHED = (): Reach => 'unreached';

describe('outage guard', () => {
  it('records nothing of an outage, holds sending, and resumes when receivers are reached again', () => {
    const guard = aGuard();
    const endpoints = population(10, 20);
    guard.pass(5, endpoints, ANSWERED);
    expect(guard.recorded).to.equal(1_000);
    guard.pass(2, endpoints, UNREACHED);
    expect(guard.core.isHolding()).to.equal(true);
    expect(guard.core.allowance()).to.equal(0);
    guard.pass(600, endpoints, UNREACHED);
    expect(guard).to.include({ recorded: 1_000, discarded: 200 });
    for (const reached of [false, true, true]) guard.core.canary(reached);
    expect(guard.core.isHolding()).to.equal(true);
    guard.core.canary(true);
    expect(guard.core.allowance()).to.equal(16);
    expect(guard.resumed).to.be.greaterThan(0);
    guard.pass(6, endpoints, ANSWERED);
    expect(guard.core.allowance()).to.equal(Number.POSITIVE_INFINITY);
    expect(guard.core.isActive()).to.equal(false);
    expect(guard.recorded).to.equal(1_000 + 6 * 200);
  });

  it('discards what was in flight and reached nothing, and records answers', () => {
    const guard = aGuard();
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    guard.pass(1, endpoints, UNREACHED);
    const before = guard.discarded;
    guard.post(endpoints[0]!, 'unreached');
    guard.post(endpoints[1]!, 'answered');
    expect(guard).to.include({ discarded: before + 1, recorded: 51 });
  });

  it('does not hold if one host with 60 % of all endpoints fails, and records its failures', () => {
    const guard = aGuard();
    const onBigHost = Array.from({ length: 120 }, (_, index) => ({
      workspaceId: `ws${index % 10}`,
      origin: `https://app${index}.bighost.example`,
    }));
    const all = [...population(10, 8), ...onBigHost];
    guard.pass(2, all, ANSWERED);
    guard.pass(300, all, ({ origin }) => (origin.includes('bighost') ? 'unreached' : 'answered'));
    expect(guard.core.isHolding()).to.equal(false);
    expect(guard.discarded).to.equal(0);
    expect(guard.recorded + guard.core.withheld()).to.equal(302 * 200);
    expect(guard.core.withheld()).to.be.at.most(120);
  });

  it('does not hold if all endpoints of one customer fail', () => {
    const guard = aGuard();
    const bad = Array.from({ length: 1_000 }, (_, index) => ({
      workspaceId: 'bad',
      origin: `https://dead${index}.example`,
    }));
    const all = [...population(4, 20), ...bad];
    guard.pass(2, all, ANSWERED);
    guard.pass(60, all, ({ workspaceId }) => (workspaceId === 'bad' ? 'unreached' : 'answered'));
    expect(guard.core.isHolding()).to.equal(false);
    expect(guard.discarded).to.equal(0);
  });

  it('does not hold for endpoints that never answered, and records them at once', () => {
    const guard = aGuard();
    guard.pass(30, population(10, 20), UNREACHED);
    expect(guard).to.include({ recorded: 6_000, discarded: 0 });
    expect(guard.core.isActive()).to.equal(false);
  });

  it('does not hold where most were unreached before', () => {
    const guard = aGuard({ windowMs: 10_000, withholdMs: 10_000 });
    const endpoints = population(10, 20);
    const number = ({ origin }: Endpoint) => Number(/\d+/.exec(origin)?.[0]);
    guard.pass(2, endpoints, ANSWERED);
    guard.pass(600, endpoints, (one) => (number(one) % 2 === 0 ? 'unreached' : 'answered'));
    guard.pass(5, endpoints, UNREACHED);
    expect(guard.core.isHolding()).to.equal(false);
  });

  it('records a failure as soon as enough other domains were reached afterwards', () => {
    const guard = aGuard();
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    guard.post(endpoints[0]!, 'unreached');
    guard.pass(1, endpoints.slice(1, 10), ANSWERED);
    expect(guard.core.withheld()).to.equal(1);
    guard.now += 1;
    guard.pass(1, endpoints.slice(1, 20), ANSWERED);
    expect(guard.core.withheld()).to.equal(0);
    expect(guard.recorded).to.equal(50 + 9 + 19 + 1);
  });

  it('records a failure after its time although nothing else is tried', () => {
    const guard = aGuard();
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    guard.post(endpoints[0]!, 'unreached');
    guard.pass(59, [], UNREACHED);
    expect(guard.recorded).to.equal(50);
    guard.pass(2, [], UNREACHED);
    expect(guard.recorded).to.equal(51);
  });

  it('withholds a bounded number and records the oldest first', () => {
    const guard = aGuard({ maxWithheld: 3 });
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    for (const endpoint of endpoints.slice(0, 5)) guard.post(endpoint, 'unreached');
    expect(guard.core.withheld()).to.equal(3);
    expect(guard.recorded).to.equal(52);
  });

  it('records failures at once where there are too few domains to judge', () => {
    const guard = aGuard();
    const endpoints = population(3, 6);
    guard.pass(1, endpoints, ANSWERED);
    guard.pass(1, endpoints, UNREACHED);
    expect(guard).to.include({ recorded: 36, discarded: 0 });
  });

  it('withholds them if there are reference destinations, until those are judged', () => {
    const guard = aGuard({}, true);
    const endpoints = population(1, 2);
    guard.pass(1, endpoints, ANSWERED);
    guard.post(endpoints[0]!, 'unreached');
    expect(guard.core.knowsEnough()).to.equal(false);
    expect(guard.core.withheld()).to.equal(1);
    guard.now += 1;
    guard.core.clear(guard.now);
    expect(guard.recorded).to.equal(3);
    guard.post(endpoints[0]!, 'unreached');
    guard.core.hold();
    expect(guard).to.include({ discarded: 1, recorded: 3 });
    expect(guard.core.isHolding()).to.equal(true);
  });

  it('judges the sum of the evidence of all processes', () => {
    const guard = aGuard();
    const own = population(2, 4);
    guard.pass(1, own, ANSWERED);
    const others = population(6, 5).map(({ workspaceId, origin }) => ({
      workspaceId: `other-${workspaceId}`,
      domain: `other-${new URL(origin).hostname}`,
      unreached: false,
    }));
    guard.core.tick(others);
    for (const endpoint of own) guard.post(endpoint, 'unreached');
    expect(guard.core.withheld()).to.equal(8);
    guard.core.tick(others);
    expect(guard.core.isHolding()).to.equal(false);
    guard.core.tick(others.map((domain) => ({ ...domain, unreached: true })));
    expect(guard.core.isHolding()).to.equal(true);
    expect(guard.discarded).to.equal(8);
  });

  it('finds an origin for a canary however long the outage lasts', () => {
    const guard = aGuard();
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    guard.pass(1, endpoints, UNREACHED);
    guard.now += 7_200_000;
    const asked = new Set(Array.from({ length: 50 }, () => guard.core.nextCanary()));
    expect(asked.size).to.equal(50);
  });
});
