import { mock } from 'node:test';
import { expect } from 'chai';
import type { Consumer } from 'kafkajs';
import { watchConsumer } from '../../src/kafka/watch-consumer.js';

const EVENTS = { HEARTBEAT: 'heartbeat', GROUP_JOIN: 'join', CRASH: 'crash' };

/** A watched consumer that says what it is told to say, and what is said about it. */
function watched() {
  const listeners = new Map<string, (event: object) => void>();
  const said: (string | undefined)[] = [];
  const note = (facts: { event?: string }) => said.push(facts.event);
  const on = (name: string, listener: (event: object) => void) => listeners.set(name, listener);
  const log = { debug: note, info: note, warn: note, error: note };
  const failures: unknown[][] = [];
  const watch = watchConsumer({ on, events: EVENTS } as unknown as Consumer, log, (...args) =>
    failures.push(args),
  );
  const emit = (name: keyof typeof EVENTS, payload: object = {}) =>
    listeners.get(EVENTS[name])?.({ payload });
  return { watch, emit, said, failures };
}

describe('watching a consumer', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => mock.restoreAll());

  it('believes for thirty seconds after a start or a heartbeat that it is alive', () => {
    const { watch, emit } = watched();
    now = 29_999;
    expect(watch.alive()).to.equal(true);
    now = 30_000;
    expect(watch.alive()).to.equal(false);
    emit('HEARTBEAT');
    expect(watch.alive()).to.equal(true);
    now = 60_000;
    expect(watch.alive()).to.equal(false);
  });

  it('takes joining the group for a sign of life', () => {
    const { watch, emit } = watched();
    now = 40_000;
    emit('GROUP_JOIN', { groupId: 'fan-out', memberAssignment: {} });
    expect(watch.alive()).to.equal(true);
  });

  it('knows when the consumer has joined for the first time', async () => {
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

  it('only notes a crash that the consumer restarts from', () => {
    const { emit, said, failures } = watched();
    emit('CRASH', { restart: true, error: new Error('connection lost') });
    expect(said).to.deep.equal(['consumer.restarting']);
    expect(failures).to.deep.equal([]);
  });

  it('ends the process when the consumer stops for good', () => {
    const { emit, failures } = watched();
    const error = new Error('not authorised');
    emit('CRASH', { restart: false, error });
    expect(failures).to.deep.equal([['a consumer stopped and cannot go on', error]]);
  });
});
