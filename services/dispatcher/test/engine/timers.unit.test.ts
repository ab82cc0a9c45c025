import { expect } from 'chai';
import { createHeadPatience, startTimers } from '../../src/engine/timers.js';
import { aClock, aLog, settleDown, sourceAt } from './builders.js';
import { virtualTime } from './virtual-time.js';

describe('createHeadPatience', () => {
  it('returns a head that has been queued for the whole time', () => {
    const patience = createHeadPatience(5_000);
    expect(patience(['a', 'b'], 0)).to.deep.equal([]);
    expect(patience(['a'], 4_999)).to.deep.equal([]);
    expect(patience(['a'], 5_000)).to.deep.equal(['a']);
  });

  it('restarts the time of a head that was absent in between', () => {
    const patience = createHeadPatience(5_000);
    patience(['a'], 0);
    patience([], 3_000);
    expect(patience(['a'], 5_000)).to.deep.equal([]);
    expect(patience(['a'], 10_000)).to.deep.equal(['a']);
  });
});

describe('engine timers', () => {
  let time: ReturnType<typeof virtualTime>;
  beforeEach(() => {
    time = virtualTime();
  });
  afterEach(() => time.restore());

  /** Timers with a job whose delay ends after `due` milliseconds; job `queued` is queued. */
  function theTimers(due: number | null, { reconcileFails = false, isFeeding = false } = {}) {
    let firstDue = due;
    const clock = aClock();
    const log = aLog();
    const start = clock.now().getTime();
    const calls: unknown[] = [];
    let passed = 0;
    const clockMs = () => clock.now().getTime();
    const workload = {
      wake: () => void calls.push(`wake ${passed}`),
      isQueued: (key: string) => key === 'queued',
      parkQueueOf: (key: string) => void calls.push(`park ${key} ${clockMs() - start}`),
    };
    const reconcile = async (which: string, graceMs: number) => {
      calls.push(`reconcile ${which} ${graceMs} ${clockMs() - start}`);
      if (reconcileFails) throw new Error('no primary');
    };
    const timers = startTimers({
      workload,
      delayed: { nextInMs: () => firstDue && firstDue - passed },
      offsets: { heads: () => ['queued', 'waiting'].map((key) => ({ key, source: sourceAt(1) })) },
      feeder: { feed: () => void (isFeeding && calls.push(`feed ${clockMs() - start}`)) },
      reconciler: {
        reconcileAll: (graceMs) => reconcile('all', graceMs),
        reconcileNext: (graceMs) => reconcile('next', graceMs),
      },
      isFeeding: () => isFeeding,
      monotonicMs: () => passed,
      kick() {
        firstDue = null;
        calls.push('kick');
      },
      log,
    });
    const pass = (ms: number) => {
      for (const end = passed + ms; passed < end; ) {
        passed += 10;
        clock.advance(10);
        time.tick(10);
      }
    };
    const setDue = (next: number) => {
      firstDue = next;
      timers.arm();
    };
    return { timers, pass, calls, log, clock, setDue };
  }

  it('wake jobs within a tick after they are due, and none before', () => {
    const { pass, calls } = theTimers(105);
    pass(100);
    expect(calls).to.deep.equal([]);
    pass(20);
    expect(calls).to.deep.equal(['wake 110', 'kick']);
  });

  it('wake a job that is due earlier than those before', () => {
    const { pass, calls, setDue } = theTimers(900);
    pass(50);
    setDue(200);
    pass(140);
    expect(calls).to.deep.equal([]);
    pass(10);
    expect(calls).to.deep.equal(['wake 200', 'kick']);
  });

  it('feed parked endpoints at every tick', () => {
    const { pass, calls } = theTimers(null, { isFeeding: true });
    pass(60);
    expect(calls).to.deep.equal(['feed 20', 'feed 40', 'feed 60']);
  });

  it('park the endpoint of a head that is queued for five seconds, but not of a waiting one', () => {
    const { pass, calls } = theTimers(null);
    pass(5_990);
    expect(calls).to.deep.equal([]);
    pass(10);
    expect(calls).to.deep.equal(['park queued 6000']);
  });

  it('park it in time although the clock was set back', () => {
    const { pass, calls, clock } = theTimers(null);
    pass(1_000);
    clock.advance(-50_000);
    pass(5_000);
    expect(calls).to.deep.equal(['park queued -44000']);
  });

  it('reconcile rows overdue by 30 s every 30 s', () => {
    const { pass, calls } = theTimers(null);
    pass(61_000);
    const looks = calls.filter((call) => String(call).startsWith('reconcile'));
    expect(looks).to.deep.equal(['reconcile next 30000 30000', 'reconcile next 30000 60000']);
  });

  it('reconcile what is overdue at an assignment, and ten seconds later what became due around it', () => {
    const { timers, pass, calls } = theTimers(null);
    const looks = () => calls.filter((call) => String(call).startsWith('reconcile'));
    timers.assigned();
    expect(looks()).to.deep.equal(['reconcile all 2000 0']);
    pass(4_000);
    timers.assigned();
    pass(9_990);
    expect(looks()).to.deep.equal(['reconcile all 2000 0', 'reconcile all 2000 4000']);
    pass(10);
    expect(looks().slice(2)).to.deep.equal(['reconcile all 8000 14000']);
  });

  it('log a failed reconciliation', async () => {
    const { timers, log } = theTimers(null, { reconcileFails: true });
    timers.assigned();
    await settleDown(1);
    expect(log.lines).to.deep.equal(['warn reconcile.failed']);
  });

  it('do nothing after stop', () => {
    const { timers, pass, calls } = theTimers(0);
    timers.assigned();
    timers.stop();
    pass(40_000);
    expect(calls).to.deep.equal(['reconcile all 2000 0']);
  });
});
