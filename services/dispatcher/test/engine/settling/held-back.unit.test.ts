import { anAttemptObservation } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createHeldBack } from '../../../src/engine/settling/held-back.js';
import type { PendingObservation } from '../../../src/engine/settling/pending-observation.js';
import { aJob } from '../builders.js';

const anEntry = (): PendingObservation => ({
  job: aJob(),
  observation: anAttemptObservation(),
  known: { delivery: null, endpoint: null },
  eventId: null,
});

describe('attempts that are held back', () => {
  function world() {
    const again: PendingObservation[] = [];
    const waiting: { task: () => void; ms: number }[] = [];
    const heldBack = createHeldBack({
      maxHeldBack: 2,
      again: (entry) => void again.push(entry),
      later: (task, ms) => void waiting.push({ task, ms }),
    });
    return { heldBack, again, waiting };
  }

  it('are stored again after delays that double for each of them, up to ten minutes', () => {
    const { heldBack, again, waiting } = world();
    const [entry, other] = [anEntry(), anEntry()];
    for (let time = 0; time < 11; time += 1) {
      heldBack.hold(entry);
      waiting.at(-1)?.task();
    }
    expect(waiting.map(({ ms }) => ms / 1_000)).to.deep.equal([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    heldBack.hold(other);
    expect(waiting.at(-1)?.ms).to.equal(2_000);
    expect(again).to.deep.equal(Array.from({ length: 11 }, () => entry));
  });

  it('are limited in number, and there is room again when one is tried', () => {
    const { heldBack, waiting } = world();
    for (let count = 0; count < 2; count += 1) expect(heldBack.hold(anEntry())).to.equal(true);
    expect(heldBack.hold(anEntry())).to.equal(false);
    waiting[0]?.task();
    expect([heldBack.hold(anEntry()), heldBack.hold(anEntry())]).to.deep.equal([true, false]);
  });
});
