import type { GuardRecord } from '@postrider/shared/ports/outage-guard';
import { expect } from 'chai';
import fc from 'fast-check';
import { createGuardCore, type GuardSettings, TICK_MS } from '../../src/guard/guard-core.js';
import type { Reach } from '../../src/ports/guard.js';
import { SETTINGS } from './domains.js';

interface Endpoint {
  readonly workspaceId: string;
  readonly endpointId: string;
  readonly origin: string;
}

/** So many workspaces with so many endpoints each, every one at a domain of its own. */
const population = (workspaces: number, each: number): Endpoint[] =>
  Array.from({ length: workspaces * each }, (_, index) => ({
    workspaceId: `ws${index % workspaces}`,
    endpointId: `whe${index}`,
    origin: `https://hooks.customer${index}.example`,
  }));

const REFERENCES = ['http://reference1.example:443', 'http://reference2.example:443'];

/** What another process shares that tried nothing within the window. */
const othersRecord = (holding: boolean, endpoints: readonly Endpoint[]): GuardRecord => ({
  holding,
  domains: [],
  origins: endpoints.map(({ origin, workspaceId }) => ({ origin, workspaceId })),
});

/** A guard in virtual time, with the number of observations by what was done with them. */
function aGuard(settings: Partial<GuardSettings> = {}, references: readonly string[] = []) {
  const world = { now: 0, recorded: 0, discarded: 0, resumed: 0 };
  const reported: string[] = [];
  const core = createGuardCore({
    settings: { ...SETTINGS, ...settings },
    monotonicMs: () => world.now,
    references,
    onActive: () => {},
    onState: ({ kind }, discarded) => reported.push(`${kind} ${discarded}`),
    onDiscarded: () => reported.push('discarded'),
  });
  core.onAllowed(() => {
    world.resumed += 1;
  });
  const actions = {
    record: () => {
      world.recorded += 1;
    },
    discard: () => {
      world.discarded += 1;
    },
  };
  const post = (endpoint: Endpoint, reach: Reach, durationMs = 0) =>
    core.recordOrDiscard({ ...endpoint, reach, durationMs }, actions);
  const maySend = ({ endpointId }: Endpoint) => core.allowance() > 0 && core.waitMs(endpointId) === 0;
  /** Lets seconds pass. In each, every endpoint is tried once unless sending is held or it has to wait. */
  const pass = (seconds: number, endpoints: readonly Endpoint[], reachOf: (endpoint: Endpoint) => Reach) => {
    for (let second = 0; second < seconds; second += 1) {
      for (const endpoint of endpoints) if (maySend(endpoint)) post(endpoint, reachOf(endpoint));
      world.now += TICK_MS;
      if (core.isActive()) core.tick([]);
    }
  };
  return Object.assign(world, { core, reported, post, pass, maySend });
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
    expect(guard.resumed).to.equal(0);
    guard.core.canary(true);
    expect(guard.core.allowance()).to.equal(16);
    expect(guard.resumed).to.equal(1);
    guard.pass(6, endpoints, ANSWERED);
    expect(guard.core.allowance()).to.equal(Number.POSITIVE_INFINITY);
    expect(guard.core.isActive()).to.equal(false);
    expect(guard.recorded).to.equal(1_000 + 6 * 200);
    expect(guard.reported).to.deep.equal(['holding 200', 'resuming 0', 'watching 0']);
  });

  it('holds by its own evidence although other processes reach the same domains', () => {
    const guard = aGuard();
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    const others = guard.core.record().domains;
    for (const endpoint of endpoints) guard.post(endpoint, 'unreached');
    guard.core.tick(others);
    expect(guard.core.isHolding()).to.equal(true);
  });

  it('learns nothing while it holds: its clock stands still', () => {
    const guard = aGuard();
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    guard.pass(1, endpoints, UNREACHED);
    const heldAt = guard.core.time();
    guard.now += 60_000;
    expect(guard.core.time()).to.equal(heldAt);
    for (let count = 0; count < 3; count += 1) guard.core.canary(true);
    guard.now += 10;
    expect(guard.core.time()).to.equal(heldAt + 10);
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
    expect(guard.reported).to.deep.equal(['holding 50', 'discarded']);
  });

  it('discards failures of POSTs that began before sending resumed, however late they end', () => {
    for (const reach of ['unreached', 'unclear', 'silent'] as const) {
      const guard = aGuard();
      const endpoints = population(5, 10);
      guard.pass(1, endpoints, ANSWERED);
      guard.pass(1, endpoints, UNREACHED);
      guard.now += 2_000;
      guard.post(endpoints[0]!, reach, 3_000);
      expect(guard).to.include({ recorded: 50, discarded: 51 });
      for (let count = 0; count < 3; count += 1) guard.core.canary(true);
      guard.now += 2_000;
      guard.post(endpoints[0]!, reach, 6_000);
      guard.pass(2, endpoints.slice(1), ANSWERED);
      expect(guard).to.include({ recorded: 50 + 98, discarded: 52 });
      guard.post(endpoints[0]!, reach, 1_000);
      guard.pass(2, endpoints.slice(1), ANSWERED);
      expect(guard).to.include({ recorded: 50 + 98 + 1 + 98, discarded: 52 });
    }
  });

  it('does not hold if one host with 60 % of all endpoints fails, and records its failures', () => {
    const guard = aGuard();
    const onBigHost = Array.from({ length: 120 }, (_, index) => ({
      workspaceId: `ws${index % 10}`,
      endpointId: `app${index}`,
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
      endpointId: `dead${index}`,
      origin: `https://dead${index}.example`,
    }));
    const all = [...population(4, 20), ...bad];
    guard.pass(2, all, ANSWERED);
    guard.pass(60, all, ({ workspaceId }) => (workspaceId === 'bad' ? 'unreached' : 'answered'));
    expect(guard.core.isHolding()).to.equal(false);
    expect(guard.discarded).to.equal(0);
  });

  it('does not hold for one workspace and one host, whatever their endpoints do and however few others are tried', () => {
    const reaches = fc.constantFrom<Reach>('answered', 'silent', 'unreached', 'unclear');
    const scenario = fc.record({
      bad: fc.nat({ max: 400 }),
      onBigHost: fc.nat({ max: 100 }),
      healthy: fc.record({ workspaces: fc.nat({ max: 6 }), each: fc.nat({ max: 8 }) }),
      /** In each period: the number of seconds, how many healthy endpoints are tried, and how far POSTs to the others get. */
      periods: fc.array(
        fc.record({
          seconds: fc.integer({ min: 1, max: 90 }),
          tried: fc.nat({ max: 48 }),
          reaches: fc.array(fc.record({ reach: reaches, durationMs: fc.nat({ max: 10_000 }) }), {
            minLength: 1,
            maxLength: 7,
          }),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    });
    fc.assert(
      fc.property(scenario, ({ bad, onBigHost, healthy, periods }) => {
        const guard = aGuard();
        const good = population(healthy.workspaces, healthy.each);
        const others = [
          ...Array.from({ length: bad }, (_, index) => ({
            workspaceId: 'bad',
            endpointId: `bad${index}`,
            origin: `https://bad${index}.example`,
          })),
          ...Array.from({ length: onBigHost }, (_, index) => ({
            workspaceId: `ws${index % 10}`,
            endpointId: `app${index}`,
            origin: `https://app${index}.bighost.example`,
          })),
        ];
        guard.pass(1, [...good, ...others], ANSWERED);
        for (const period of periods)
          for (let second = 0; second < period.seconds; second += 10) {
            for (const [index, endpoint] of others.entries()) {
              const { reach, durationMs } = period.reaches[index % period.reaches.length]!;
              if (guard.maySend(endpoint)) guard.post(endpoint, reach, durationMs);
            }
            guard.pass(Math.min(10, period.seconds - second), good.slice(0, period.tried), ANSWERED);
            if (guard.core.isHolding()) return false;
          }
        return true;
      }),
      { numRuns: 40 },
    );
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

  describe('whose withheld failures an answer of their endpoint follows', () => {
    const endpoints = population(5, 10);
    const [one, other] = endpoints as [Endpoint, Endpoint];
    const story = (...reaches: (readonly [Endpoint, Reach])[]) => {
      const guard = aGuard();
      guard.pass(1, endpoints, ANSWERED);
      const recorded: string[] = [];
      for (const [index, [endpoint, reach]] of reaches.entries()) {
        const record = () => recorded.push(`${index} ${reach}`);
        const discard = () => recorded.push(`${index} discarded`);
        guard.core.recordOrDiscard({ ...endpoint, reach, durationMs: 0 }, { record, discard });
      }
      return { guard, recorded };
    };

    it('records them before it, in their order', () => {
      const { guard, recorded } = story([one, 'unreached'], [one, 'unclear'], [one, 'answered']);
      expect(recorded).to.deep.equal(['0 unreached', '1 unclear', '2 answered']);
      expect(guard.core.withheld()).to.equal(0);
      guard.pass(61, [], UNREACHED);
      expect(recorded).to.have.length(3);
    });

    it('still withholds those of other endpoints', () => {
      const { guard, recorded } = story([one, 'unreached'], [other, 'unreached'], [one, 'answered']);
      expect(recorded).to.deep.equal(['0 unreached', '2 answered']);
      expect(guard.core.withheld()).to.equal(1);
    });

    it('still withholds them if a server was reached without an answer', () => {
      const { guard, recorded } = story([one, 'unreached'], [one, 'silent']);
      expect(recorded).to.deep.equal(['1 silent']);
      expect(guard.core.withheld()).to.equal(1);
    });

    it('withholds its next failures in the same number as before', () => {
      const again = Array.from({ length: 4 }, () => [one, 'unreached'] as const);
      const { guard, recorded } = story(...again, [one, 'answered'], ...again);
      expect(recorded).to.have.length(5);
      expect(guard.core.withheld()).to.equal(4);
    });
  });

  it('takes no answer to a POST that began before a failure for a sign that there is no outage', () => {
    const guard = aGuard();
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    guard.post(endpoints[0]!, 'unreached');
    guard.now += 10;
    for (const endpoint of endpoints.slice(1, 20)) guard.post(endpoint, 'answered', 20);
    guard.core.tick([]);
    expect(guard.core.withheld()).to.equal(1);
    for (const endpoint of endpoints.slice(1, 20)) guard.post(endpoint, 'answered', 5);
    guard.core.tick([]);
    expect(guard.core.withheld()).to.equal(0);
  });

  it('discards what failed at endpoints that never answered, if there is an outage', () => {
    const guard = aGuard();
    const endpoints = population(10, 20);
    const known = endpoints.slice(0, 100);
    guard.pass(1, known, ANSWERED);
    guard.pass(2, endpoints, UNREACHED);
    expect(guard.core.isHolding()).to.equal(true);
    expect(guard).to.include({ recorded: 100, discarded: 200 });
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

  it('withholds a bounded number, and discards what exceeds it', () => {
    const guard = aGuard({ maxWithheld: 3 });
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    for (const endpoint of endpoints.slice(0, 8)) guard.post(endpoint, 'unreached');
    expect(guard.core.withheld(), 'twice as many, of workspaces that have few').to.equal(6);
    expect(guard).to.include({ recorded: 50, discarded: 2 });
  });

  it('records all failures at once if none may be withheld', () => {
    const guard = aGuard({ maxWithheld: 0 });
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    for (const endpoint of endpoints) guard.post(endpoint, 'unreached');
    expect(guard).to.include({ recorded: 100, discarded: 0 });
  });

  it('compares with the time before the window that its settings say', () => {
    for (const [baselineSpanMs, isHolding] of [
      [600_000, true],
      [60_000, false],
    ] as const) {
      const guard = aGuard({ baselineSpanMs });
      const endpoints = population(10, 10);
      const isDead = ({ endpointId }: Endpoint) =>
        endpoints.findIndex((one) => one.endpointId === endpointId) < 40;
      guard.pass(1, endpoints, ANSWERED);
      guard.pass(180, endpoints, (endpoint) => (isDead(endpoint) ? 'unreached' : 'answered'));
      guard.pass(2, endpoints, UNREACHED);
      expect(guard.core.isHolding()).to.equal(isHolding);
    }
  });

  it('records nothing of busy endpoints while it takes long to try enough domains', () => {
    const guard = aGuard();
    const endpoints = population(10, 10);
    const busy = endpoints.slice(0, 5);
    guard.pass(30, endpoints, ANSWERED);
    const before = guard.recorded;
    const most = new Map<string, number>();
    for (let second = 0; !guard.core.isHolding() && second < 60; second += 1) {
      for (let count = 0; count < 100; count += 1)
        for (const endpoint of busy) if (guard.maySend(endpoint)) guard.post(endpoint, 'unreached');
      // The other 95 domains are tried every 30 s.
      guard.pass(
        1,
        endpoints.slice(5).filter((_, index) => index % 30 === second % 30),
        UNREACHED,
      );
      most.set('withheld', Math.max(most.get('withheld') ?? 0, guard.core.withheld()));
    }
    expect(guard.core.isHolding()).to.equal(true);
    expect(guard.recorded).to.equal(before);
    expect(most.get('withheld')).to.be.within(20, 120);
  });

  /** An endpoint that ten POSTs in a row have not reached, after all had answered. */
  const unreachedTenTimes = (guard: ReturnType<typeof aGuard>): Endpoint => {
    const endpoints = population(10, 10);
    const [one] = endpoints as [Endpoint];
    guard.pass(1, endpoints, ANSWERED);
    for (let count = 0; count < 10; count += 1) guard.post(one, 'unreached');
    return one;
  };

  it('lets a busy endpoint continue as soon as it is reached again', () => {
    const guard = aGuard();
    const one = unreachedTenTimes(guard);
    expect(guard).to.include({ recorded: 100, discarded: 6 });
    expect(guard.core.waitMs(one.endpointId)).to.equal(1_000);
    guard.now += 1_000;
    expect([guard.core.waitMs(one.endpointId), guard.core.waitMs(one.endpointId)]).to.deep.equal([0, 1_000]);
    guard.post(one, 'answered');
    expect([guard.core.waitMs(one.endpointId), guard.core.waitMs(one.endpointId)]).to.deep.equal([0, 0]);
  });

  it('lets a busy endpoint continue whose server is reached but does not answer', () => {
    const guard = aGuard();
    const one = unreachedTenTimes(guard);
    guard.post(one, 'silent');
    expect([guard.core.waitMs(one.endpointId), guard.core.waitMs(one.endpointId)]).to.deep.equal([0, 0]);
    guard.post(one, 'unreached');
    expect(guard.core.waitMs(one.endpointId)).to.equal(1_000);
  });

  it('withholds of one endpoint, and tries it again, as its settings say', () => {
    const guard = aGuard({ withheldPerEndpoint: 2, trialEveryMs: 5_000 });
    const one = unreachedTenTimes(guard);
    expect(guard).to.include({ recorded: 100, discarded: 8 });
    expect(guard.core.waitMs(one.endpointId)).to.equal(5_000);
    guard.now += 5_000;
    expect([guard.core.waitMs(one.endpointId), guard.core.waitMs(one.endpointId)]).to.deep.equal([0, 5_000]);
  });

  it('withholds time-outs on reused connections, which show neither that a server was reached nor that none was', () => {
    const guard = aGuard();
    const endpoints = population(10, 10);
    guard.pass(1, endpoints, ANSWERED);
    guard.post(endpoints[99]!, 'unreached');
    guard.now += 10;
    guard.pass(10, endpoints.slice(0, 98), () => 'unclear');
    expect(guard).to.include({ recorded: 100 });
    expect(guard.core.isHolding()).to.equal(false);
    guard.pass(2, endpoints, UNREACHED);
    expect(guard.core.isHolding()).to.equal(true);
    expect(guard).to.include({ recorded: 100 });
  });

  describe('that has to decide', () => {
    const endpoints = population(5, 10);
    const unreached = (guard: ReturnType<typeof aGuard>, some: readonly Endpoint[]) => {
      for (const endpoint of some) guard.post(endpoint, 'unreached');
    };

    it('records what it withholds if nothing shows an outage', () => {
      for (const withheld of [1, 3]) {
        const guard = aGuard();
        guard.pass(1, endpoints, ANSWERED);
        unreached(guard, endpoints.slice(0, withheld));
        guard.core.decideNow(() => true, []);
        expect(guard).to.include({ recorded: 50 + withheld, discarded: 0 });
        expect(guard.core.withheld()).to.equal(0);
        expect(guard.core.isHolding()).to.equal(false);
      }
    });

    it('discards it if there is an outage that it has not noticed yet', () => {
      const guard = aGuard();
      guard.pass(1, endpoints, ANSWERED);
      unreached(guard, endpoints);
      guard.core.decideNow(({ length }) => length === 0, []);
      expect(guard).to.include({ recorded: 50, discarded: 50 });
      expect(guard.core.isHolding()).to.equal(true);
    });

    it('discards it if the latest evidence shows an outage that what was reached before still hides', () => {
      const guard = aGuard();
      guard.pass(1, endpoints, ANSWERED);
      guard.now += 10_000;
      unreached(guard, endpoints.slice(0, 25));
      guard.core.tick([]);
      guard.core.decideNow(() => true, []);
      expect(guard).to.include({ recorded: 50, discarded: 25 });
      expect(guard.core.isHolding()).to.equal(false);
    });

    it('takes for the latest evidence what its settings say', () => {
      const guard = aGuard({ latestMs: 20_000 });
      guard.pass(1, endpoints, ANSWERED);
      guard.now += 10_000;
      unreached(guard, endpoints.slice(0, 25));
      guard.core.decideNow(() => true, []);
      expect(guard).to.include({ recorded: 75, discarded: 0 });
    });

    it('takes the evidence of other processes into account', () => {
      const guard = aGuard();
      guard.pass(1, endpoints.slice(0, 20), ANSWERED);
      unreached(guard, endpoints.slice(0, 4));
      const others = population(5, 30).map(({ workspaceId, origin }) => ({
        workspaceId,
        domain: `other-${new URL(origin).hostname}`,
        unreached: true,
      }));
      guard.core.decideNow(() => true, others);
      expect(guard).to.include({ recorded: 20, discarded: 4 });
    });

    it('discards it if another process holds sending and nothing was reached since, and holds nothing itself', () => {
      const guard = aGuard();
      guard.pass(1, endpoints, ANSWERED);
      unreached(guard, endpoints.slice(0, 5));
      guard.core.learn([othersRecord(true, [])]);
      guard.core.decideNow(() => true, []);
      expect(guard).to.include({ recorded: 50, discarded: 5 });
      expect(guard.core.isHolding()).to.equal(false);
    });

    it('records it if another process holds sending and a server was reached since, or if that one resumed', () => {
      for (const [reach, isHeld] of [
        ['answered', true],
        ['silent', true],
        ['unreached', false],
      ] as const) {
        const guard = aGuard();
        guard.pass(1, endpoints, ANSWERED);
        unreached(guard, endpoints.slice(0, 5));
        guard.core.learn([othersRecord(true, [])]);
        guard.now += 10;
        guard.post(endpoints[5]!, reach);
        guard.core.learn([othersRecord(isHeld, [])]);
        guard.core.decideNow(() => true, []);
        expect(guard).to.include({ recorded: 56, discarded: 0 });
      }
    });

    it('about some endpoints records theirs alone', () => {
      const guard = aGuard();
      guard.pass(1, endpoints, ANSWERED);
      const [one, other] = endpoints as [Endpoint, Endpoint];
      unreached(guard, [one, other, one, other, one]);
      guard.core.decideNow((endpointId) => endpointId === one.endpointId, []);
      expect(guard.recorded).to.equal(53);
      expect(guard.core.withheld()).to.equal(2);
      guard.pass(61, [], UNREACHED);
      expect(guard.recorded).to.equal(55);
    });
  });

  it('records failures at once where there are too few domains to judge', () => {
    const guard = aGuard();
    const endpoints = population(3, 6);
    guard.pass(1, endpoints, ANSWERED);
    guard.pass(1, endpoints, UNREACHED);
    expect(guard).to.include({ recorded: 36, discarded: 0 });
  });

  it('withholds them if there are reference destinations, until those are judged', () => {
    const guard = aGuard({}, REFERENCES);
    const endpoints = population(1, 2);
    guard.pass(1, endpoints, ANSWERED);
    expect(guard.core.needsReferences()).to.equal(false);
    guard.post(endpoints[0]!, 'unreached');
    expect(guard.core.needsReferences()).to.equal(true);
    expect(guard.core.withheld()).to.equal(1);
    guard.now += 1;
    guard.core.judgeReferences(true, guard.core.time());
    expect(guard.recorded).to.equal(3);
    guard.post(endpoints[0]!, 'unreached');
    guard.core.judgeReferences(false, guard.core.time());
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

  describe('with too few domains of its own, while another process holds sending', () => {
    const endpoints = population(3, 4);
    const others = population(5, 10);
    /** A guard that has learnt the others' origins, and what of them is shared every two seconds. */
    const besideOther = () => {
      const guard = aGuard();
      guard.core.learn([othersRecord(false, others)]);
      guard.pass(2, endpoints, ANSWERED);
      const pass = (seconds: number, reachOf: (endpoint: Endpoint) => Reach) => {
        for (let second = 0; second < seconds; second += 1) {
          guard.pass(1, endpoints, reachOf);
          if (second % 2 === 1) guard.core.learn([othersRecord(true, others)]);
        }
      };
      return Object.assign(guard, { passBesideHold: pass });
    };

    it('holds too if nothing is reached from here, and records nothing of the outage', () => {
      const guard = besideOther();
      guard.passBesideHold(300, UNREACHED);
      expect(guard.core.isHolding()).to.equal(true);
      expect(guard.recorded).to.equal(24);
    });

    it('holds too once a failure is withheld, and not while nothing fails here', () => {
      for (const failures of [0, 1]) {
        const guard = besideOther();
        for (const endpoint of endpoints.slice(0, failures)) guard.post(endpoint, 'unreached');
        for (let count = 0; count < 2; count += 1) guard.core.learn([othersRecord(true, others)]);
        expect(guard.core.isHolding()).to.equal(failures > 0);
      }
    });

    it('does not hold while servers are reached, although an endpoint is dead', () => {
      const guard = besideOther();
      guard.passBesideHold(300, (one) => (one === endpoints[0] ? 'unreached' : 'answered'));
      expect(guard.core.isHolding()).to.equal(false);
      expect(guard.discarded).to.equal(0);
    });

    it('holds once at most if only dead endpoints are tried: its canaries reach servers', () => {
      const guard = besideOther();
      let holds = 0;
      for (let second = 0; second < 300; second += 2) {
        guard.pass(2, endpoints.slice(0, 1), UNREACHED);
        guard.core.learn([othersRecord(true, others)]);
        if (!guard.core.isHolding()) continue;
        holds += 1;
        for (let count = 0; count < 3; count += 1) guard.core.canary(true);
      }
      expect(holds).to.be.at.most(1);
    });
  });

  it('leaves the verdict to the domains of the window if they suffice, whatever the references show', () => {
    const guard = aGuard({}, REFERENCES);
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    guard.post(endpoints[0]!, 'unreached');
    guard.core.tick([]);
    guard.now += 10;
    for (const reached of [true, false]) guard.core.judgeReferences(reached, guard.core.time());
    expect(guard.core.isHolding()).to.equal(false);
    expect(guard.core.withheld()).to.equal(1);
  });

  it('asks the references whenever the domains of the window do not suffice', () => {
    const guard = aGuard({}, REFERENCES);
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    guard.post(endpoints[0]!, 'unreached');
    guard.pass(1, endpoints.slice(1), ANSWERED);
    expect(guard.core.needsReferences()).to.equal(false);
    guard.now += 120_000;
    guard.post(endpoints[0]!, 'unreached');
    guard.pass(1, endpoints.slice(1, 3), ANSWERED);
    expect(guard.core.needsReferences()).to.equal(true);
    expect(guard.core.withheld()).to.equal(1);
  });

  it('ignores the references while a receiver is reached and they are not', () => {
    const guard = aGuard({}, REFERENCES);
    const [dead, working] = population(1, 2) as [Endpoint, Endpoint];
    guard.post(dead, 'unreached');
    guard.core.judgeReferences(false, guard.core.time());
    guard.now += 30_000;
    guard.core.tick([]);
    expect(guard.core.isHolding()).to.equal(false);
    guard.now += TICK_MS;
    guard.post(working, 'silent', 2 * TICK_MS);
    expect(guard.core.areReferencesBlocked()).to.equal(false);
    guard.post(working, 'silent', TICK_MS);
    expect(guard.core.areReferencesBlocked()).to.equal(true);
    guard.post(dead, 'unreached');
    expect(guard).to.include({ recorded: 2, discarded: 2 });
    expect(guard.core.needsReferences()).to.equal(true);
    guard.core.judgeReferences(true, guard.core.time());
    guard.post(dead, 'unreached');
    expect(guard.core.withheld()).to.equal(1);
  });

  it('tries its references in turn only if no origin ever answered', () => {
    const guard = aGuard({}, REFERENCES);
    const origins = [1, 2, 3].map(() => guard.core.nextCanary());
    expect(origins).to.deep.equal([...REFERENCES, REFERENCES[0]]);
    const [endpoint] = population(1, 1) as [Endpoint];
    guard.post(endpoint, 'answered');
    expect(guard.core.nextCanary()).to.equal(endpoint.origin);
    expect(aGuard().core.nextCanary()).to.equal(null);
  });

  it('records failures at once if domains answered too long ago', () => {
    const guard = aGuard();
    const endpoints = population(5, 10);
    guard.pass(1, endpoints, ANSWERED);
    guard.now += 3_600_001;
    guard.post(endpoints[0]!, 'answered');
    guard.post(endpoints[0]!, 'unreached');
    expect(guard).to.include({ recorded: 52, discarded: 0 });
  });

  it('counts an answer for as long as its settings say', () => {
    for (const [answerAgeMs, withheld] of [
      [7_200_000, 1],
      [300_000, 0],
    ] as const) {
      const guard = aGuard({ answerAgeMs });
      const endpoints = population(5, 10);
      guard.pass(1, endpoints, ANSWERED);
      guard.now += 3_600_001;
      guard.post(endpoints[0]!, 'unreached');
      expect(guard.core.withheld()).to.equal(withheld);
    }
  });

  it('judges after an outage of hours as before it', () => {
    const guard = aGuard();
    const endpoints = population(10, 20);
    guard.pass(1, endpoints, ANSWERED);
    guard.pass(2, endpoints, UNREACHED);
    guard.now += 7_200_000;
    for (let count = 0; count < 3; count += 1) guard.core.canary(true);
    expect(guard.core.isHolding()).to.equal(false);
    guard.pass(2, endpoints, UNREACHED);
    expect(guard.core.isHolding()).to.equal(true);
    expect(guard.recorded).to.equal(200);
  });

  describe('of a process that has just started', () => {
    const endpoints = population(5, 10);

    it('holds if another process does, until its own canaries reach a server', () => {
      const guard = aGuard();
      guard.core.learn([othersRecord(true, endpoints), othersRecord(false, endpoints)]);
      expect(guard.core.allowance()).to.equal(0);
      expect(endpoints.map(({ origin }) => origin)).to.include(guard.core.nextCanary());
      for (let count = 0; count < 3; count += 1) guard.core.canary(true);
      guard.core.learn([othersRecord(true, endpoints)]);
      expect(guard.core.allowance()).to.be.greaterThan(0);
    });

    it('does not hold for another process once it has reached a server, or if it has nothing to try', () => {
      const guard = aGuard();
      guard.core.learn([othersRecord(true, [])]);
      expect(guard.core.isHolding()).to.equal(false);
      guard.post(endpoints[0]!, 'silent');
      guard.core.learn([othersRecord(true, endpoints)]);
      expect(guard.core.isHolding()).to.equal(false);
    });

    it('judges by what others have reached', () => {
      const guard = aGuard();
      expect(guard.core.needsOthers()).to.equal(true);
      guard.core.learn([othersRecord(false, endpoints)]);
      expect(guard.core.needsOthers()).to.equal(false);
      guard.pass(2, endpoints, UNREACHED);
      expect(guard.core.isHolding()).to.equal(true);
      expect(guard).to.include({ recorded: 0, discarded: 50 });
    });

    it('shares what it has reached, also while it holds', () => {
      const guard = aGuard();
      guard.pass(1, endpoints, ANSWERED);
      expect(guard.core.record()).to.include({ holding: false });
      expect(guard.core.record().domains).to.have.length(50);
      guard.pass(1, endpoints, UNREACHED);
      const { holding, domains, origins } = guard.core.record();
      expect([holding, domains.length, origins.length]).to.deep.equal([true, 0, 50]);
      expect(origins).to.deep.include({ origin: endpoints[0]!.origin, workspaceId: 'ws0' });
    });
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

  describe('after an outage in which origins ceased to exist for good', () => {
    const live = population(10, 5);
    const gone = (count: number, of: (index: number) => Omit<Endpoint, 'endpointId'>): Endpoint[] =>
      Array.from({ length: count }, (_, index) => ({ endpointId: `gone${index}`, ...of(index) }));
    const subdomains = gone(2_000, (index) => ({
      workspaceId: 'evil',
      origin: `https://h${index}.evil.example`,
    }));

    /** Holds sending, at a time when none of these is reached. */
    const holding = (endpoints: readonly Endpoint[]) => {
      const guard = aGuard();
      guard.pass(1, endpoints, ANSWERED);
      guard.pass(2, endpoints, UNREACHED);
      expect(guard.core.isHolding()).to.equal(true);
      return guard;
    };

    /** How many canaries it takes until sending resumes, once these are reached again. */
    const canariesUntilResumed = ({ core }: ReturnType<typeof aGuard>, some: readonly Endpoint[]) => {
      const reached = new Set<string | null>(some.map(({ origin }) => origin));
      let count = 0;
      for (; core.isHolding() && count < 5_000; count += 1) core.canary(reached.has(core.nextCanary()));
      return count;
    };

    // Regression: canaries went to every origin that ever answered. Thousands that were gone kept sending held for hours.
    it('resumes soon if thousands of them answered long ago', () => {
      const guard = aGuard();
      guard.pass(1, subdomains, ANSWERED);
      guard.now += 3_600_001;
      guard.pass(1, live, ANSWERED);
      guard.pass(2, [...live, ...subdomains], UNREACHED);
      expect(guard.core.isHolding()).to.equal(true);
      expect(canariesUntilResumed(guard, live)).to.be.at.most(30);
    });

    it('resumes soon if thousands of them belong to one domain', () => {
      const guard = holding([...live, ...subdomains]);
      expect(canariesUntilResumed(guard, live)).to.be.at.most(20);
    });

    it('resumes soon if they are thousands of domains of one workspace, however long the outage lasts', () => {
      const domains = gone(2_000, (index) => ({
        workspaceId: 'evil',
        origin: `https://hooks.evil${index}.example`,
      }));
      for (const failed of [0, 7, 100, 1_000]) {
        const guard = holding([...live, ...domains]);
        for (let count = 0; count < failed; count += 1) guard.core.canary(guard.core.nextCanary() === null);
        expect(canariesUntilResumed(guard, live), `after ${failed} canaries`).to.be.at.most(20);
      }
    });

    it('resumes soon if they are the only domains of most workspaces', () => {
      const domains = gone(20, (index) => ({
        workspaceId: `small${index}`,
        origin: `https://hooks.small${index}.example`,
      }));
      const large = population(3, 20);
      expect(canariesUntilResumed(holding([...domains, ...large]), large)).to.be.at.most(60);
    });

    it('resumes if only origins that answered long ago are reached', () => {
      const guard = aGuard();
      const [working, ...others] = population(10, 10);
      guard.pass(1, [working!], ANSWERED);
      guard.now += 3_600_001;
      guard.pass(1, others, ANSWERED);
      guard.pass(2, others, UNREACHED);
      expect(guard.core.isHolding()).to.equal(true);
      expect(canariesUntilResumed(guard, [working!])).to.be.at.most(30);
    });
  });
});
