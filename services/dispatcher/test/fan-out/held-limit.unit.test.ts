import { heldDelivery } from '@postrider/shared/domain/delivery';
import type { Holding } from '@postrider/shared/domain/endpoint';
import type { EndpointId } from '@postrider/shared/domain/id';
import type { HeldCount } from '@postrider/shared/ports/fan-out';
import { aDelivery, idFor, later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createHeldLimit } from '../../src/fan-out/held-limit.js';
import type { PlannedHeld } from '../../src/fan-out/plan-delivery.js';
import { aLog } from '../engine/builders.js';

/** A limit of two, and the counts that were stored. */
function aHeldLimit() {
  const world = { failure: null as Error | null, stored: [] as HeldCount[][] };
  const log = aLog();
  const limit = createHeldLimit({
    store: {
      async countHeld(counts) {
        if (world.failure !== null) throw world.failure;
        world.stored.push([...counts]);
      },
    },
    perEndpoint: 2,
    log,
  });
  /** Admits deliveries and counts them as stored, except those that were stored before. @returns how many it admitted */
  const hold = (planned: readonly PlannedHeld[], before: readonly PlannedHeld[] = []) => {
    const admitted = limit.admit(planned);
    const inserted = admitted.filter((one) => !before.includes(one)).map(({ row }) => row);
    limit.count({ admitted, inserted, missed: planned.filter((one) => !admitted.includes(one)) });
    return admitted.length;
  };
  return Object.assign(world, { limit, hold, log });
}

const [ENDPOINT, ANOTHER] = [idFor('endpoint', 'held'), idFor('endpoint', 'another')];
const aHeld = (
  name: string,
  { since = NOON, endpointId = ENDPOINT as EndpointId, holding = null as Holding | null } = {},
): PlannedHeld => {
  const facts = { ...aDelivery({ id: idFor('delivery', name) }), endpointId };
  const { id, workspaceId, eventType, payload, traceId, createdAt } = facts;
  const row = { id, workspaceId, endpointId, eventType, payload, traceId, createdAt, dueAt: NOON };
  return { ...heldDelivery(row, since), holding: holding ?? undefined };
};

describe('the limit of held deliveries', () => {
  it('admits so many of an endpoint in a period, together and one after the other, and counts the others', async () => {
    const { hold, limit, stored } = aHeldLimit();
    expect(hold([aHeld('first')])).to.equal(1);
    expect(hold([aHeld('second'), aHeld('third'), aHeld('of another', { endpointId: ANOTHER })])).to.equal(2);
    expect(hold([aHeld('fourth')])).to.equal(0);
    await limit.flush();
    expect(stored).to.deep.equal([
      [
        { endpointId: ENDPOINT, since: NOON, rows: 2, missed: 2 },
        { endpointId: ANOTHER, since: NOON, rows: 1, missed: 0 },
      ],
    ]);
  });

  it('begins again in another period', () => {
    const { hold } = aHeldLimit();
    const holding = { since: NOON, rows: 2, missed: 0 };
    expect(hold([aHeld('late', { holding })])).to.equal(0);
    expect(hold([aHeld('first', { since: later(1), holding })])).to.equal(1);
  });

  it('stores a count once, and none without a change', async () => {
    const { hold, limit, stored } = aHeldLimit();
    const again = aHeld('again');
    expect(hold([again], [again])).to.equal(1);
    await limit.flush();
    expect(stored).to.deep.equal([]);
    hold([again]);
    await limit.flush();
    await limit.flush();
    hold([aHeld('second'), aHeld('third')]);
    await limit.flush();
    hold([aHeld('fourth')]);
    await limit.flush();
    expect(stored.flat().map(({ rows, missed }) => [rows, missed])).to.deep.equal([
      [1, 0],
      [1, 1],
      [0, 1],
    ]);
  });

  it('adds what is not stored yet to the count that another process stored', () => {
    const { hold } = aHeldLimit();
    expect(hold([aHeld('first', { holding: { since: NOON, rows: 0, missed: 0 } })])).to.equal(1);
    expect(hold([aHeld('second', { holding: { since: NOON, rows: 1, missed: 0 } })])).to.equal(0);
  });

  it('is not forgotten when the count cannot be stored, which is logged', async () => {
    const world = aHeldLimit();
    world.hold([aHeld('first'), aHeld('second')]);
    world.failure = new Error('away');
    await world.limit.flush();
    expect(world.log.lines).to.deep.equal(['warn fan_out.held_count']);
    expect(world.hold([aHeld('third')])).to.equal(0);
  });

  it('keeps the counts of 50,000 endpoints', async () => {
    const { hold, limit } = aHeldLimit();
    hold([aHeld('first'), aHeld('second')]);
    await limit.flush();
    const one = aHeld('one');
    for (let index = 0; index < 49_999; index += 1)
      limit.admit([{ ...one, row: { ...one.row, endpointId: `${index}` as EndpointId } }]);
    await limit.flush();
    expect(limit.admit([aHeld('third')]), 'kept').to.deep.equal([]);
    limit.admit([aHeld('one', { endpointId: ANOTHER })]);
    await limit.flush();
    expect(limit.admit([aHeld('third')]), 'forgotten').to.have.length(1);
  });
});
