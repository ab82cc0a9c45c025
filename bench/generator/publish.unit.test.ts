import { expect } from 'chai';
import { eventsDue, publishAtRate, publishFlatOut } from './publish.js';

/** A clock that advances only during pauses, and a broker that takes `publishMs` for each request. */
function fakes({ publishMs = 0, tickMs = 1, stopAtMs = Number.POSITIVE_INFINITY } = {}) {
  let time = 0;
  const published: { readonly at: number; readonly workspaces: readonly number[] }[] = [];
  const all = () => published.flatMap(({ workspaces }) => workspaces);
  const countOf = (workspace: number) => all().filter((one) => one === workspace).length;
  const deps = {
    perEvent: 1,
    monotonicMs: () => time,
    isStopped: () => time >= stopAtMs,
    inFlight: () => 0,
    sleep: async (ms: number) => {
      time += Math.max(ms, tickMs);
    },
    publish: async (workspaces: readonly number[]) => {
      published.push({ at: time, workspaces });
      time += publishMs;
    },
  };
  return { published, all, countOf, deps };
}

describe('publishing at a rate', () => {
  const plan = (perSecond: number, limit: { seconds?: number }) =>
    ({ kind: 'at-rate', streams: [{ workspaces: [0, 1, 2], perSecond }], ...limit }) as const;

  for (const [elapsedMs, due] of [
    [0, 1],
    [9.9, 1],
    [10, 2],
    [1_000, 101],
    [1_999, 200],
    [60_000, 200],
  ] as const) {
    it(`has ${due} of 200 events due after ${elapsedMs} ms at 100 a second`, () => {
      expect(eventsDue(elapsedMs, 100, 2)).to.equal(due);
    });
  }

  it('publishes the events of every stream to its workspaces in turn', async () => {
    const { deps, all, countOf } = fakes();
    const streams = [
      { workspaces: [0, 1], perSecond: 100 },
      { workspaces: [7], perSecond: 50 },
    ];
    await publishAtRate({ kind: 'at-rate', streams, seconds: 2 }, deps);
    expect(all()).to.have.length(300);
    expect([0, 1, 7].map(countOf)).to.deep.equal([100, 100, 100]);
  });

  it('spreads the events evenly', async () => {
    const { deps, published } = fakes();
    await publishAtRate(plan(10, { seconds: 1 }), deps);
    expect(published.map(({ at }) => at)).to.deep.equal([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
  });

  it('continues until it is stopped', async () => {
    const { deps, published, all } = fakes({ stopAtMs: 5_000 });
    await publishAtRate(plan(10, {}), deps);
    expect(all()).to.have.length(51);
    expect(published.at(-1)?.at).to.equal(5_000);
  });

  it('returns its lag', async () => {
    const { deps, all } = fakes({ tickMs: 50 });
    expect(await publishAtRate(plan(1_000, { seconds: 1 }), deps)).to.be.within(45, 50);
    expect(all()).to.have.length(1_000);
    expect(await publishAtRate(plan(1_000, { seconds: 1 }), fakes().deps)).to.be.at.most(1);
  });

  it('splits the events that are due after a stall into requests that the broker accepts', async () => {
    const { deps, published, all } = fakes({ tickMs: 500 });
    await publishAtRate(plan(2_000, { seconds: 1 }), deps);
    expect(all()).to.have.length(2_000);
    expect(Math.max(...published.map(({ workspaces }) => workspaces.length))).to.equal(250);
  });

  it('fails if the broker refuses', async () => {
    const publish = () => Promise.reject(new Error('refused'));
    const result = publishAtRate(plan(10, { seconds: 1 }), { ...fakes().deps, publish });
    expect(await result.catch((error: Error) => error.message)).to.equal('refused');
  });
});

describe('publishing flat out', () => {
  const plan = { kind: 'flat-out', workspaces: [0, 1, 2] } as const;

  it('publishes exactly the given number of events to the workspaces in turn', async () => {
    const { deps, published, countOf } = fakes();
    await publishFlatOut({ ...plan, events: 1_000 }, deps);
    expect(published[0]?.workspaces.slice(0, 4)).to.deep.equal([0, 1, 2, 0]);
    expect([0, 1, 2].map(countOf)).to.deep.equal([334, 333, 333]);
  });

  it('ends when its time is up', async () => {
    const { deps, published } = fakes({ publishMs: 100 });
    await publishFlatOut({ ...plan, seconds: 2 }, deps);
    expect(published.every(({ workspaces }) => workspaces.length === 100)).to.equal(true);
    expect(published.every(({ at }) => at < 2_000)).to.equal(true);
    expect(published.length).to.be.at.least(20);
  });

  it('never exceeds its window', async () => {
    const { deps, all } = fakes();
    const perEvent = 5;
    let arrived = 0;
    let most = 0;
    const inFlight = () => all().length * perEvent - arrived;
    const publish = async (workspaces: readonly number[]) => {
      await deps.publish(workspaces);
      most = Math.max(most, inFlight());
    };
    const sleep = async (ms: number) => {
      await deps.sleep(ms);
      arrived += Math.min(20, inFlight());
    };
    const windowed = { ...plan, events: 100, window: 50 };
    await publishFlatOut(windowed, { ...deps, publish, sleep, inFlight, perEvent });
    expect({ count: all().length, most }).to.deep.equal({ count: 100, most: 50 });
  });
});
