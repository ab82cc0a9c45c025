import { mock } from 'node:test';
import { expect } from 'chai';
import { NotReachable, retryUntil } from '../../src/runtime/retry-until.js';

describe('retryUntil', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  /** Runs an attempt that fails with each of `failures` and then succeeds, without real pauses. */
  async function run(failures: readonly unknown[], forMs: number) {
    const warnings: { facts: object; sentence: string }[] = [];
    const left = [...failures];
    const attempt = async () => {
      if (left.length === 0) return 'connected';
      throw left.shift();
    };
    const warn = (facts: object, sentence: string) => {
      warnings.push({ facts, sentence });
      setImmediate(() => mock.timers.runAll());
    };
    const result = await retryUntil({ forMs, log: { warn } })('Kafka', attempt).catch((e: unknown) => e);
    return { result, warnings, left: left.length };
  }

  it('logs nothing if the first attempt succeeds', async () => {
    expect(await run([], 60_000)).to.deep.equal({ result: 'connected', warnings: [], left: 0 });
  });

  it('logs each failure with its reason and pause, doubling the pause up to five seconds', async () => {
    const refused = Array.from({ length: 7 }, () => new Error('connection refused'));
    const { result, warnings } = await run(refused, 60_000);
    expect(result).to.equal('connected');
    expect(warnings.map(({ sentence }) => sentence)).to.deep.equal(
      [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000].map((ms) => `Kafka; trying again in ${ms} ms`),
    );
    for (const { facts } of warnings) {
      expect(facts).to.deep.equal({ event: 'waiting', reason: 'connection refused' });
    }
  });

  it('gives up with the last reason if the next pause would exceed the deadline', async () => {
    const last = new Error('no topic webhook.deliveries: run "admin migrate"');
    const { result, left } = await run([new Error('connection refused'), last, new Error('unseen')], 499);
    expect(result).to.be.instanceOf(NotReachable);
    expect((result as Error).message).to.equal(
      'Kafka: gave up after 0 s: no topic webhook.deliveries: run "admin migrate"',
    );
    expect((result as Error).cause).to.equal(last);
    expect(left).to.equal(1);
  });

  // Regression: each step had its own deadline, so a start could take four times as long as the probes wait.
  it('shares one deadline among all calls', async () => {
    let now = 0;
    mock.method(performance, 'now', () => now);
    const wait = retryUntil({ forMs: 60_000, log: { warn: () => setImmediate(() => mock.timers.runAll()) } });
    const late = async () => {
      now += 59_000;
      return 'connected';
    };
    expect(await wait('MongoDB', late)).to.equal('connected');
    const down = async () => {
      now += 1_000;
      throw new Error('down');
    };
    const failure = await wait('Kafka', down).catch((error: unknown) => error);
    mock.restoreAll();
    expect(now).to.equal(60_000);
    expect(failure)
      .to.be.instanceOf(NotReachable)
      .with.property('message', 'Kafka: gave up after 60 s: down');
  });

  // Regression: a start that was stopped logged that it waits, after the process had logged that it stopped.
  it('ends at the next failure once the process is to stop, and logs nothing more', async () => {
    const stopping = new AbortController();
    const warnings: string[] = [];
    const warn = (_: object, sentence: string) => {
      warnings.push(sentence);
      stopping.abort();
      setImmediate(() => mock.timers.runAll());
    };
    const wait = retryUntil({ forMs: 60_000, log: { warn }, stopping: stopping.signal });
    const failure = await wait('Kafka', () => Promise.reject(new Error('down'))).catch((e: unknown) => e);
    expect(failure).to.equal(stopping.signal.reason);
    expect(warnings).to.deep.equal(['Kafka; trying again in 250 ms']);
  });

  it('makes one attempt even after the deadline', async () => {
    expect((await run([], 0)).result).to.equal('connected');
    expect((await run(['down'], 0)).result)
      .to.be.instanceOf(NotReachable)
      .with.property('cause', 'down');
  });
});
