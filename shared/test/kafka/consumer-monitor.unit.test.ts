import { mock } from 'node:test';
import { expect } from 'chai';
import type { Consumer } from 'kafkajs';
import { createConsumerMonitor, readinessProblems } from '../../src/kafka/consumer-monitor.js';

const EVENTS = { HEARTBEAT: 'heartbeat', GROUP_JOIN: 'join', CRASH: 'crash' };

/** A monitored consumer whose events a test emits, with its log and failures. */
function watched(sessionTimeoutMs = 30_000) {
  const listeners = new Map<string, (event: object) => void>();
  const said: (string | undefined)[] = [];
  const note = (facts: { event?: string }) => said.push(facts.event);
  const on = (name: string, listener: (event: object) => void) => listeners.set(name, listener);
  const log = { debug: note, info: note, warn: note, error: note };
  const failures: unknown[][] = [];
  const fail = (...args: unknown[]) => failures.push(args);
  const consumer = { on, events: EVENTS } as unknown as Consumer;
  const watch = createConsumerMonitor(consumer, { sessionTimeoutMs, log, fail });
  const emit = (name: keyof typeof EVENTS, payload: object = {}) =>
    listeners.get(EVENTS[name])?.({ payload });
  return { watch, emit, said, failures };
}

describe('consumer monitor', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => mock.restoreAll());

  // Regression: with a limit of 30 s, an outage of the broker restarted all consumers until they backed off.
  it('reports a consumer as stuck after five minutes without a heartbeat', () => {
    const { watch, emit } = watched();
    now = 299_999;
    expect(watch.alive()).to.equal(true);
    now = 300_000;
    expect(watch.alive()).to.equal(false);
    emit('HEARTBEAT');
    expect(watch.alive()).to.equal(true);
    now = 600_000;
    expect(watch.alive()).to.equal(false);
  });

  it('does not report a consumer as stuck within two long sessions', () => {
    const { watch } = watched(600_000);
    now = 1_199_999;
    expect(watch.alive()).to.equal(true);
    now = 1_200_000;
    expect(watch.alive()).to.equal(false);
  });

  it('reports why a consumer is not ready: not joined, then no heartbeat for a session', () => {
    const { watch, emit } = watched();
    expect(readinessProblems('consumer', watch)).to.deep.equal(['the consumer has not joined its group']);
    emit('GROUP_JOIN', { groupId: 'fan-out', memberAssignment: {} });
    now = 29_999;
    expect(readinessProblems('consumer', watch)).to.deep.equal([]);
    now = 30_000;
    expect(readinessProblems('consumer', watch)).to.deep.equal([
      'the consumer has had no heartbeat for a session',
    ]);
    emit('HEARTBEAT');
    expect(readinessProblems('consumer', watch)).to.deep.equal([]);
  });

  it('counts joining the group as a heartbeat', () => {
    const { watch, emit } = watched();
    now = 400_000;
    emit('GROUP_JOIN', { groupId: 'fan-out', memberAssignment: {} });
    expect(watch.alive()).to.equal(true);
  });

  it('resolves joined when the consumer joins for the first time', async () => {
    const { watch, emit, said } = watched();
    let resolved = false;
    void watch.joined.then(() => {
      resolved = true;
    });
    await Promise.resolve();
    expect([watch.hasJoined(), resolved]).to.deep.equal([false, false]);
    emit('GROUP_JOIN', { groupId: 'fan-out', memberAssignment: {} });
    await watch.joined;
    expect([watch.hasJoined(), said]).to.deep.equal([true, ['consumer.joined']]);
  });

  it('only logs a crash from which the consumer restarts', () => {
    const { emit, said, failures } = watched();
    emit('CRASH', { restart: true, error: new Error('connection lost') });
    expect(said).to.deep.equal(['consumer.restarting']);
    expect(failures).to.deep.equal([]);
  });

  it('ends the process when the consumer stops permanently', () => {
    const { emit, failures } = watched();
    const error = new Error('not authorised');
    emit('CRASH', { restart: false, error });
    expect(failures).to.deep.equal([['a consumer stopped permanently', error]]);
  });
});
