import { expect } from 'chai';
import { eventsDue, type FlatOut } from './plan.js';
import { publishAtRate } from './publish-at-rate.js';
import { publishFlatOut } from './publish-flat-out.js';

/** A clock that moves only when somebody pauses, and a broker that takes `publishMs` for each request. */
function world({ publishMs = 0, tickMs = 1, enoughMs = Number.POSITIVE_INFINITY } = {}) {
  let time = 0;
  const published: { readonly at: number; readonly workspaces: readonly number[] }[] = [];
  return {
    published,
    all: () => published.flatMap(({ workspaces }) => workspaces),
    parts: {
      now: () => time,
      isEnough: () => time >= enoughMs,
      pause: async (ms: number) => {
        time += Math.max(ms, tickMs);
      },
      publish: async (workspaces: readonly number[]) => {
        published.push({ at: time, workspaces });
        time += publishMs;
      },
    },
  };
}

describe('events that are due at a rate', () => {
  const stream = { perSecond: 100, seconds: 2 };

  for (const [elapsedMs, due] of [
    [0, 1],
    [9.9, 1],
    [10, 2],
    [1_000, 101],
    [1_999, 200],
    [60_000, 200],
  ] as const) {
    it(`are ${due} after ${elapsedMs} ms`, () => {
      expect(eventsDue(elapsedMs, stream)).to.equal(due);
    });
  }
});

describe('publishing at a rate', () => {
  it('sends every stream its number of events, to its workspaces in turn', async () => {
    const { parts, all } = world();
    const streams = [
      { workspaces: [0, 1], perSecond: 100 },
      { workspaces: [7], perSecond: 50 },
    ];
    expect(await publishAtRate({ kind: 'at-rate', streams, seconds: 2 }, parts)).to.include({ events: 300 });
    const counts = [0, 1, 7].map((index) => all().filter((workspace) => workspace === index).length);
    expect(counts).to.deep.equal([100, 100, 100]);
  });

  it('spreads them evenly over the time', async () => {
    const { parts, published } = world();
    await publishAtRate(
      { kind: 'at-rate', streams: [{ workspaces: [0], perSecond: 10 }], seconds: 1 },
      parts,
    );
    expect(published.map(({ at }) => at)).to.deep.equal([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
  });

  it('goes on until it is told that it is enough', async () => {
    const { parts, published } = world({ enoughMs: 5_000 });
    const plan = { kind: 'at-rate', streams: [{ workspaces: [0], perSecond: 10 }], seconds: null } as const;
    expect(await publishAtRate(plan, parts)).to.include({ events: 51 });
    expect(published.at(-1)?.at).to.equal(5_000);
  });

  it('tells how late it was', async () => {
    const late = world({ tickMs: 50 });
    const plan = { kind: 'at-rate', streams: [{ workspaces: [0], perSecond: 1_000 }], seconds: 1 } as const;
    const { events, lagP99Ms } = await publishAtRate(plan, late.parts);
    expect(events).to.equal(1_000);
    expect(lagP99Ms).to.be.within(45, 50);
    expect((await publishAtRate(plan, world().parts)).lagP99Ms).to.be.at.most(1);
  });

  it('fails when the broker refuses', async () => {
    const { parts } = world();
    const publish = () => Promise.reject(new Error('refused'));
    const plan = { kind: 'at-rate', streams: [{ workspaces: [0], perSecond: 10 }], seconds: 1 } as const;
    const end = await publishAtRate(plan, { ...parts, publish }).catch((error: Error) => error.message);
    expect(end).to.equal('refused');
  });
});

describe('publishing flat out', () => {
  const plan: FlatOut = {
    kind: 'flat-out',
    workspaces: [0, 1, 2],
    events: null,
    seconds: null,
    window: null,
  };
  const nothing = { outstanding: () => 0 };

  it('sends exactly as many events as were asked for, to the workspaces in turn', async () => {
    const { parts, all } = world();
    expect(await publishFlatOut({ ...plan, events: 1_000 }, { ...parts, ...nothing })).to.equal(1_000);
    expect(all()).to.have.length(1_000);
    expect(all().slice(0, 4)).to.deep.equal([0, 1, 2, 0]);
    const counts = [0, 1, 2].map((index) => all().filter((workspace) => workspace === index).length);
    expect(counts).to.deep.equal([334, 333, 333]);
  });

  it('ends when its time is up', async () => {
    const { parts, published } = world({ publishMs: 100 });
    const count = await publishFlatOut({ ...plan, seconds: 2 }, { ...parts, ...nothing });
    expect(count).to.equal(100 * published.length);
    expect(published.every(({ at }) => at < 2_000)).to.equal(true);
    expect(published.length).to.be.at.least(20);
  });

  it('never has more deliveries under way than its window', async () => {
    const { parts, all } = world();
    const perEvent = 5;
    let arrived = 0;
    let most = 0;
    const outstanding = () => all().length * perEvent - arrived;
    const publish = async (workspaces: readonly number[]) => {
      await parts.publish(workspaces);
      most = Math.max(most, outstanding());
    };
    const pause = async (ms: number) => {
      await parts.pause(ms);
      arrived += Math.min(20, outstanding());
    };
    const window = { deliveries: 50, perEvent };
    await publishFlatOut({ ...plan, events: 100, window }, { ...parts, publish, pause, outstanding });
    expect(all()).to.have.length(100);
    expect(most).to.equal(50);
  });
});
