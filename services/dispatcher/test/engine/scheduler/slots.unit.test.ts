import { expect } from 'chai';
import { JobQueue } from '../../../src/engine/scheduler/job-queue.js';
import { newLane } from '../../../src/engine/scheduler/lane.js';
import type { SlotKind } from '../../../src/engine/scheduler/pools.js';
import { createSlots } from '../../../src/engine/scheduler/slots.js';
import { nothingKnown } from '../../../src/engine/scheduler/standing.js';

const HOST = 'https://host';

/** Slots of one endpoint, and what is counted at its origin. */
function someSlots(origin: string | null = HOST) {
  const world = { now: 0, hasRoom: true, admits: true, freed: [] as (readonly [SlotKind, string | null])[] };
  const counted = { lingering: 0, onProbation: 0 };
  const moved: SlotKind[] = [];
  const rows = { bytes: 0, hasRoom: true };
  const rowsMoved: (readonly [number, SlotKind, SlotKind])[] = [];
  const workspace = {
    id: 'w',
    usage: { prompt: 0, lingering: 0 },
    rows: { bytes: 0, expectedBytes: 100 },
    lanes: 1,
  };
  const known = { ...nothingKnown(), origin };
  const lane = newLane<string>({ endpointId: 'e', workspace, known, queue: new JobQueue(() => false) });
  const slots = createSlots<string>({
    pools: {
      hasRoom: () => world.hasRoom,
      admits: () => world.admits,
      take: () => undefined,
      linger: (kind) => moved.push(kind),
      free: () => undefined,
    },
    rows: {
      expect: () => {
        rows.bytes += 100;
        return 100;
      },
      replace: (_kind, _usage, { expected, actual }) => {
        rows.bytes += (rows.hasRoom ? actual : 0) - expected;
        return rows.hasRoom;
      },
      move: (bytes, { from, to }) => {
        rowsMoved.push([bytes, from, to]);
      },
      free: (_kind, _usage, bytes) => {
        rows.bytes -= bytes;
      },
    },
    queues: {
      countAt: (name, _, as, change) => {
        expect(name).to.equal(HOST);
        counted[as] += change;
      },
      reorder: () => undefined,
      slotFreed: (kind, name) => world.freed.push([kind, name]),
    },
    monotonicMs: () => world.now,
  });
  const age = () => {
    const lingering: string[] = [];
    slots.age(({ job }) => lingering.push(job));
    return lingering;
  };
  const take = (kind: SlotKind, job = 'job') => {
    slots.take(lane, kind, job);
    return slots.of(job)!;
  };
  return Object.assign(world, { slots, lane, known, counted, moved, rows, rowsMoved, age, take });
}

describe('slots', () => {
  it('count a POST on probation at its origin, then as lingering, then no longer', () => {
    const world = someSlots();
    const { slots, lane, counted, age, take } = world;
    const slot = take('new');
    expect(counted).to.deep.equal({ lingering: 0, onProbation: 1 });
    slots.confirm(slot);
    slots.postBegins(slot);
    expect([counted, slots.nextAgeAt()]).to.deep.equal([{ lingering: 0, onProbation: 1 }, 250]);
    world.now = 250;
    expect([age(), slot.kind]).to.deep.equal([[], 'lingering']);
    expect(world.rowsMoved).to.deep.equal([[100, 'new', 'lingering']]);
    expect([counted, slots.nextAgeAt()]).to.deep.equal([{ lingering: 0, onProbation: 1 }, 1_000]);
    world.now = 1_000;
    expect([age(), slots.nextAgeAt()]).to.deep.equal([['job'], null]);
    expect([counted, lane.lingering]).to.deep.equal([{ lingering: 1, onProbation: 0 }, 1]);
    slots.free(slot);
    expect([counted, lane.lingering, lane.inFlight]).to.deep.equal([{ lingering: 0, onProbation: 0 }, 0, 0]);
    expect([world.moved, world.freed]).to.deep.equal([['new'], [['lingering', HOST]]]);
  });

  it('count a POST to a proven endpoint once it lingers', () => {
    const world = someSlots();
    const { slots, lane, counted, age, take } = world;
    const slot = take('proven');
    slots.confirm(slot);
    slots.postBegins(slot);
    world.now = 999;
    expect(age()).to.deep.equal([]);
    expect([counted, slots.nextAgeAt()]).to.deep.equal([{ lingering: 0, onProbation: 0 }, 1_000]);
    world.now = 1_000;
    expect([age(), slot.kind, world.moved]).to.deep.equal([['job'], 'lingering', ['proven']]);
    slots.free(slot);
    expect([counted, lane.lingering]).to.deep.equal([{ lingering: 0, onProbation: 0 }, 0]);
  });

  it('count a POST that is expected to linger from its beginning, and once', () => {
    const world = someSlots();
    const { slots, lane, counted, age, take } = world;
    const slot = take('lingering');
    slots.confirm(slot);
    slots.postBegins(slot);
    world.now = 1_000;
    expect([age(), slots.nextAgeAt()]).to.deep.equal([[], null]);
    expect([counted, lane.lingering]).to.deep.equal([{ lingering: 1, onProbation: 0 }, 1]);
    slots.free(slot);
    expect([counted, lane.lingering]).to.deep.equal([{ lingering: 0, onProbation: 0 }, 0]);
  });

  it('count a POST at an origin that is known only when its row was read', () => {
    const { slots, known, counted, take } = someSlots(null);
    const slot = take('new');
    known.origin = HOST;
    slots.confirm(slot);
    expect(counted).to.deep.equal({ lingering: 0, onProbation: 1 });
    slots.free(slot);
    expect(counted).to.deep.equal({ lingering: 0, onProbation: 0 });
  });

  it('count jobs that were chosen until their POST may begin or their slot is free', () => {
    const { slots, lane, take } = someSlots();
    const [first, second] = [take('new', 'first'), take('proven', 'second')];
    expect(lane).to.include({ chosen: 2, inFlight: 2 });
    slots.confirm(first);
    expect(lane).to.include({ chosen: 1, inFlight: 2 });
    slots.free(first);
    expect(lane).to.include({ chosen: 1, inFlight: 1 });
    slots.free(second);
    expect(lane).to.include({ chosen: 0, inFlight: 0, lingering: 0 });
  });

  it('report the origin at which a POST counts although its endpoint has another one now', () => {
    const { slots, known, counted, freed, take } = someSlots();
    const slot = take('new');
    known.origin = 'https://another';
    slots.confirm(slot);
    slots.free(slot);
    expect([counted, freed]).to.deep.equal([{ lingering: 0, onProbation: 0 }, [['new', HOST]]]);
  });

  it('do not age once they are free', () => {
    const world = someSlots();
    const { slots, take, age, counted } = world;
    const [first, second] = [take('new', 'first'), take('new', 'second')];
    for (const slot of [first, second]) slots.postBegins(slot);
    slots.free(first);
    world.now = 1_000;
    expect(age()).to.deep.equal(['second']);
    expect([slots.size(), counted]).to.deep.equal([1, { lingering: 1, onProbation: 0 }]);
  });

  it('report the origin of a POST that ends although it was not counted there', () => {
    const { slots, freed, take } = someSlots();
    slots.free(take('proven'));
    expect(freed).to.deep.equal([['proven', HOST]]);
  });

  it('age at the earliest time of all POSTs', () => {
    const world = someSlots();
    const { slots, take } = world;
    slots.postBegins(take('proven', 'proven'));
    world.now = 800;
    slots.postBegins(take('new', 'new'));
    expect(slots.nextAgeAt()).to.equal(1_000);
    world.now = 1_000;
    world.age();
    expect(slots.nextAgeAt()).to.equal(1_050);
  });

  it('become those of suspects only if there is room and their workspace may have one', () => {
    for (const [hasRoom, admits] of [
      [true, true],
      [true, false],
      [false, true],
    ] as const) {
      const world = Object.assign(someSlots(), { hasRoom, admits });
      const slot = world.take('new');
      expect(world.slots.makeSuspect(slot)).to.equal(hasRoom && admits);
      expect(slot.kind).to.equal(hasRoom && admits ? 'suspect' : 'new');
    }
  });

  it('count the bytes of a row from its expected size on, and none of a row without room', () => {
    for (const hasRoom of [true, false]) {
      const { slots, rows, take } = someSlots();
      const slot = take('proven');
      expect(rows.bytes).to.equal(100);
      rows.hasRoom = hasRoom;
      expect(slots.addRow(slot, 700)).to.equal(hasRoom);
      expect(rows.bytes).to.equal(hasRoom ? 700 : 0);
      slots.free(slot);
      expect(rows.bytes).to.equal(0);
    }
  });
});
