import { expect } from 'chai';
import type { Fault } from './fault.js';
import { untilRecovered } from './recovery.js';
import type { World } from './world/world.js';

const ENDED = 1_000;
const FAULT = { patienceMs: 600 } as Fault;

interface State {
  /** Tokens of accepted events, and when they were sent. */
  readonly accepted: Readonly<Record<string, number>>;
  /** Endpoints that each event's rows are for. */
  readonly rows: Readonly<Record<string, readonly string[]>>;
  /** What each look finds, the last of them again and again. */
  readonly overdue?: readonly number[];
}

/** A world with two endpoints. */
function worldOf({ accepted, rows, overdue = [0] }: State): World {
  let look = -1;
  const deliveries = {
    async countDocuments() {
      look += 1;
      return overdue[Math.min(look, overdue.length - 1)];
    },
    async distinct(field: string, filter: { 'payload.tokenId': string | { $in: string[] } }) {
      const asked = filter['payload.tokenId'];
      if (field === 'endpointId') return rows[String(asked)] ?? [];
      return typeof asked === 'string' ? [] : asked.$in.filter((tokenId) => tokenId in rows);
    },
  };
  const endpoints = { distinct: async () => ['whe_1', 'whe_2'] };
  const events = Object.entries(accepted).map(([tokenId, sentAt]) => {
    return { tokenId, sentAt, answeredAt: sentAt };
  });
  return {
    db: { collection: (name: string) => (name === 'endpoints' ? endpoints : deliveries) },
    endpoints: [],
    load: { accepted: events },
    say: () => {},
  } as unknown as World;
}

const recoveredIn = (state: State) => untilRecovered(worldOf(state), FAULT, ENDED);
const BOTH = ['whe_1', 'whe_2'];

describe('recovery', () => {
  it('is reached when an event from after the fault has all its rows and nothing is behind', async () => {
    const began = Date.now();
    const recoveredAt = await recoveredIn({ accepted: { tok_1: 2_000 }, rows: { tok_1: BOTH } });
    expect(recoveredAt).to.be.within(began, began + 300);
  });

  // The last accepted event was asked for, even one from before the fault: whoever accepted nothing had recovered.
  it('is not reached while there is no event from after the fault, or it lacks rows', async () => {
    const looks = [
      { accepted: { tok_0: 500 }, rows: { tok_0: BOTH } },
      { accepted: { tok_1: 2_000 }, rows: { tok_1: ['whe_1'] } },
    ];
    expect(await Promise.all(looks.map(recoveredIn))).to.deep.equal([null, null]);
  });

  it('is not reached while any earlier event is not fanned out', async () => {
    const accepted = { tok_0: 500, tok_1: 2_000 };
    expect(await recoveredIn({ accepted, rows: { tok_1: BOTH } })).to.equal(null);
  });

  it('is not reached when only one look finds nothing overdue', async () => {
    const overdue = [0, 3];
    expect(await recoveredIn({ accepted: { tok_1: 2_000 }, rows: { tok_1: BOTH }, overdue })).to.equal(null);
  });
});
