import { expect } from 'chai';
import type { Fault } from './fault.js';
import { untilIdle, untilRecovered } from './recovery.js';
import type { World } from './world/world.js';

const ENDED = 1_000;
const FAULT = { patienceMs: 600 } as Fault;
const BOTH = ['whe_1', 'whe_2'];

interface State {
  /** When each accepted event was sent, by its token. */
  readonly accepted: Readonly<Record<string, number>>;
  /** The endpoints of each event's deliveries. */
  readonly deliveries: Readonly<Record<string, readonly string[]>>;
  /** Overdue deliveries at each poll; the last number is repeated. */
  readonly overdue?: readonly number[];
}

/** Waits for the recovery of a world with two endpoints. */
function recoveryOf({ accepted, deliveries, overdue = [0] }: State) {
  let polls = -1;
  const stored = {
    async countDocuments() {
      polls += 1;
      return overdue[Math.min(polls, overdue.length - 1)];
    },
    async distinct(field: string, filter: { 'payload.tokenId': string | { $in: string[] } }) {
      const tokens = filter['payload.tokenId'];
      if (field === 'endpointId') return deliveries[String(tokens)] ?? [];
      return typeof tokens === 'string' ? [] : tokens.$in.filter((token) => token in deliveries);
    },
  };
  const endpoints = { distinct: async () => BOTH };
  const events = Object.entries(accepted).map(([tokenId, sentAt]) => {
    return { tokenId, sentAt, answeredAt: sentAt };
  });
  const db = { collection: (name: string) => (name === 'endpoints' ? endpoints : stored) };
  const world = {
    db,
    endpoints: [],
    load: { accepted: events },
    otherEvents: [],
    log: () => {},
  } as unknown as World;
  return untilRecovered(world, FAULT, ENDED);
}

describe('untilRecovered', () => {
  it('returns when an event from after the fault has all deliveries and nothing is late', async () => {
    const began = Date.now();
    const recoveredAt = await recoveryOf({ accepted: { tok_1: 2_000 }, deliveries: { tok_1: BOTH } });
    expect(recoveredAt).to.be.within(began, began + 300);
  });

  // Regression: an event from before the fault sufficed, so a system that accepted nothing counted as recovered.
  const UNRECOVERED: Record<string, State> = {
    'there is no event from after the fault': { accepted: { tok_0: 500 }, deliveries: { tok_0: BOTH } },
    'the event from after the fault lacks a delivery': {
      accepted: { tok_1: 2_000 },
      deliveries: { tok_1: ['whe_1'] },
    },
    'an earlier event is not fanned out': {
      accepted: { tok_0: 500, tok_1: 2_000 },
      deliveries: { tok_1: BOTH },
    },
    'nothing is overdue in a single poll only': {
      accepted: { tok_1: 2_000 },
      deliveries: { tok_1: BOTH },
      overdue: [0, 3],
    },
  };
  for (const [state, parts] of Object.entries(UNRECOVERED))
    it(`returns null if ${state}`, async () => expect(await recoveryOf(parts)).to.equal(null));
});

describe('untilIdle', () => {
  // Regression: deliveries that were stored between two counts were neither unfinished nor missing.
  it('waits for the deliveries of an event that is fanned out while it counts', async () => {
    let isFannedOut = false;
    let polls = 0;
    const deliveries = {
      async countDocuments() {
        polls += 1;
        return isFannedOut && polls < 3 ? 1 : 0;
      },
      async distinct() {
        isFannedOut = true;
        return ['tok_1'];
      },
    };
    const outbox = { countDocuments: async () => 0 };
    const db = { collection: (name: string) => (name === 'outbox' ? outbox : deliveries) };
    const accepted = [{ tokenId: 'tok_1', sentAt: 1, answeredAt: 1 }];
    await untilIdle(
      { db, endpoints: [], load: { accepted }, otherEvents: [], log: () => {} } as unknown as World,
      {
        ...FAULT,
        patienceMs: 5_000,
      },
    );
    expect(polls).to.equal(3);
  });
});
