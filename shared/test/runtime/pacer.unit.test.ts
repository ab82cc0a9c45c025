import { expect } from 'chai';
import { createBusyShare } from '../../src/runtime/busy-share.js';
import { createPacer, type PacedWhen, spacing } from '../../src/runtime/pacer.js';

describe('pacer', () => {
  /** Runs rounds one after the other in a process that is busy for this share. @returns the pauses between them */
  async function pausesAt(
    share: number,
    { rounds = 3, everyMs = 20, workMs = 0, when = 'busy' as PacedWhen } = {},
  ) {
    let time = 0;
    const pauses: number[] = [];
    const pace = createPacer(everyMs, when, {
      busy: () => share,
      monotonicMs: () => time,
      async sleep(ms) {
        pauses.push(ms);
        time += ms;
      },
    });
    for (let round = 0; round < rounds; round += 1) {
      await pace();
      time += workMs;
    }
    return pauses;
  }

  it('starts rounds at once while the process has room', async () => {
    expect(await pausesAt(0)).to.deep.equal([]);
    expect(await pausesAt(0.5)).to.deep.equal([]);
  });

  it('keeps the whole distance in a process without room, from start to start', async () => {
    expect(await pausesAt(1)).to.deep.equal([20, 20]);
    expect(await pausesAt(1, { workMs: 5 })).to.deep.equal([15, 15]);
    expect(await pausesAt(1, { workMs: 30 })).to.deep.equal([]);
  });

  it('keeps the whole distance however much room there is, for rounds that are always spaced', async () => {
    expect(await pausesAt(0, { when: 'always' })).to.deep.equal([20, 20]);
    expect(await pausesAt(0, { when: 'always', workMs: 30 })).to.deep.equal([]);
  });

  it('keeps more distance the busier the process is', () => {
    const spacingAt = (when: PacedWhen) => (busy: number) => Number(spacing(when, busy).toFixed(2));
    expect([0, 0.5, 0.6, 0.7, 0.8, 0.9, 1].map(spacingAt('busy'))).to.deep.equal([
      0, 0, 0.25, 0.5, 0.75, 1, 1,
    ]);
    expect([0, 0.35, 0.45, 0.55, 0.75, 1].map(spacingAt('early'))).to.deep.equal([0, 0, 0.25, 0.5, 1, 1]);
  });

  it('sleeps by the timers of the process by default', async () => {
    const pace = createPacer(40, 'always');
    await pace();
    const startedAt = performance.now();
    await pace();
    expect(performance.now() - startedAt).to.be.at.least(20);
  });
});

describe('busyShare', () => {
  /** A process whose event loop was idle and active for so long. */
  function aProcess() {
    const world = { time: 0, idle: 0, active: 0 };
    const busyShare = createBusyShare({
      monotonicMs: () => world.time,
      utilization(current, before) {
        const idle = (current?.idle ?? world.idle) - (before?.idle ?? 0);
        const active = (current?.active ?? world.active) - (before?.active ?? 0);
        return { idle, active, utilization: active / Math.max(idle + active, 1) };
      },
    });
    const pass = (kind: 'idle' | 'active', ms: number) => {
      world.time += ms;
      world[kind] += ms;
    };
    return { pass, busyShare };
  }

  it('is the share since the last measurement, at least a tenth of a second ago', () => {
    const { pass, busyShare } = aProcess();
    pass('idle', 100);
    expect(busyShare()).to.equal(0);
    pass('active', 99);
    expect(busyShare()).to.equal(0);
    pass('active', 51);
    pass('idle', 50);
    expect(busyShare()).to.equal(0.75);
    pass('idle', 1_000);
    expect(busyShare()).to.equal(0);
  });
});
