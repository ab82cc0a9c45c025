import type { QueueMessage } from '@postrider/shared/ports/queue';
import { expect } from 'chai';
import { createSettleGroup } from '../src/settle-group.js';
import { anExhaustedDelivery, messageOf } from './builders.js';

const AWAY = new Error('no server');
const REJECTED = new Error('rejected');

describe('settleGroup', () => {
  const names = ['a', 'b', 'c'];
  const messages = names.map((name) => messageOf(anExhaustedDelivery({ name })));
  const nameOf = ({ deliveryId }: QueueMessage) =>
    names[messages.findIndex((one) => one.deliveryId === deliveryId)];

  /** @param fail returns the error of a transaction over a group, in the given call */
  async function isolate(fail: (group: string, call: number) => Error | null, group = messages) {
    const calls: string[] = [];
    const lines: string[] = [];
    let beats = 0;
    const note = (facts: object) => lines.push((facts as { event: string }).event);
    const settleGroup = createSettleGroup({
      async settle(some) {
        const error = fail(calls[calls.push(some.map(nameOf).join('')) - 1]!, calls.length);
        if (error !== null) throw error;
        return some.map(() => 'dead_lettered');
      },
      isDatabaseAway: (error) => error === AWAY,
      log: { debug: note, info: note, warn: note, error: note },
    });
    const result = await settleGroup(group, async () => {
      beats += 1;
    }).catch((error: Error) => error);
    return { result, calls, lines, beats };
  }

  it('settles a group without bad rows in one call', async () => {
    const { result, calls, lines } = await isolate(() => null);
    expect(result).to.deep.equal(['dead_lettered', 'dead_lettered', 'dead_lettered']);
    expect(calls).to.deep.equal(['abc']);
    expect(lines).to.deep.equal([]);
  });

  it('settles the others when one is rejected twice, and logs the rejected one', async () => {
    const { result, calls, lines, beats } = await isolate((group) => (group.includes('b') ? REJECTED : null));
    expect(result).to.deep.equal(['dead_lettered', 'poisoned', 'dead_lettered']);
    expect(calls).to.deep.equal(['abc', 'a', 'b', 'c', 'b']);
    expect(lines).to.deep.equal(['dead_letter.group_failed', 'dead_letter.poisoned']);
    expect(beats).to.equal(4);
  });

  it('poisons none that is settled at the second attempt', async () => {
    const { result, lines } = await isolate((_, call) => (call <= 2 ? REJECTED : null));
    expect(result).to.deep.equal(['dead_lettered', 'dead_lettered', 'dead_lettered']);
    expect(lines).to.deep.equal(['dead_letter.group_failed']);
  });

  it('poisons none when all are rejected, because the database is then at fault', async () => {
    const { result, calls } = await isolate(() => REJECTED);
    expect(result).to.equal(REJECTED);
    expect(calls).to.deep.equal(['abc', 'a', 'b', 'c']);
  });

  it('does not try one by one while the database is unavailable', async () => {
    expect(await isolate(() => AWAY)).to.deep.include({ result: AWAY, calls: ['abc'] });
    const lost = await isolate((_, call) => (call === 1 ? REJECTED : call === 3 ? AWAY : null));
    expect(lost).to.deep.include({ result: AWAY, calls: ['abc', 'a', 'b'] });
  });

  it('ends at a failed heartbeat, which says nothing about the dead letter before it', async () => {
    const LOST = new Error('the group is rebalancing');
    const calls: string[] = [];
    const lines: string[] = [];
    const note = (facts: object) => lines.push((facts as { event: string }).event);
    let areAllRejected = false;
    const settleGroup = createSettleGroup({
      async settle(some) {
        calls.push(some.map(nameOf).join(''));
        if (some.length > 1 || areAllRejected) throw REJECTED;
        return ['dead_lettered'];
      },
      isDatabaseAway: () => false,
      log: { debug: note, info: note, warn: note, error: note },
    });
    const fails = (error: Error) => error;
    for (let tries = 0; tries < 6; tries += 1)
      expect(await settleGroup(messages, () => Promise.reject(LOST)).catch(fails)).to.equal(LOST);
    expect(calls).to.deep.equal(Array(6).fill(['abc', 'a']).flat());
    expect(lines).not.to.include('dead_letter.poisoned');
    areAllRejected = true;
    expect(await settleGroup(messages, async () => {}).catch(fails), 'the first rejection').to.equal(
      REJECTED,
    );
  });

  it('leaves a group of one to the next retry', async () => {
    const { result, calls, lines } = await isolate(() => REJECTED, messages.slice(0, 1));
    expect([result, calls, lines]).to.deep.equal([REJECTED, ['a'], []]);
  });

  // Regression: it was tried for ever, and no dead letter of any partition was handled meanwhile.
  it('gives up a group of which nothing can be stored with the sixth try, but not while the database is unavailable', async () => {
    const lines: string[] = [];
    const note = (facts: object) => lines.push((facts as { event: string }).event);
    const errors = [REJECTED, REJECTED, AWAY, ...Array<Error>(6).fill(REJECTED), REJECTED];
    const settleGroup = createSettleGroup({
      settle: async () => {
        throw errors.shift();
      },
      isDatabaseAway: (error) => error === AWAY,
      log: { debug: note, info: note, warn: note, error: note },
    });
    const results = [];
    for (let tries = 0; tries < 10; tries += 1)
      results.push(await settleGroup(messages.slice(0, 1), async () => {}).catch((error: Error) => error));
    expect(results.findIndex(Array.isArray)).to.equal(8);
    expect(results[8]).to.deep.equal(['poisoned']);
    expect(results[9], 'the next group has tries of its own').to.equal(REJECTED);
    expect(lines).to.deep.equal(['dead_letter.poisoned']);
  });
});
