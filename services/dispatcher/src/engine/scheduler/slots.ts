import { type Ageing, createAgeing } from './ageing.js';
import type { Lane } from './lane.js';
import type { CountedAs } from './origins.js';
import type { Pools, SlotKind } from './pools.js';
import type { RowBytes } from './row-bytes.js';
import type { SlotQueues } from './slot-queues.js';
import { PROBATION_MS, PROMPT_MS } from './standing.js';

/** A slot that a job uses. */
export interface Slot<Job> {
  readonly job: Job;
  readonly lane: Lane<Job>;
  /** Changes to lingering when the slot moves to that pool. */
  kind: SlotKind;
  /** Whether its POST lingers, or was expected to. */
  lingers: boolean;
  /** Whether its POST may begin: the row of its endpoint was read. */
  isConfirmed: boolean;
  /** The origin for which it was taken, then the one in its endpoint's row; null until it is known. */
  origin: string | null;
  /** The origin at which it counts: as lingering, or as a POST to an endpoint on probation. */
  countedAt: string | null;
  /** The size of its row, expected until the row is read. */
  bytes: number;
}

/** The slots in use. Each is counted in its pool, by its endpoint and workspace, and at its origin if its POST lingers or is on probation. */
export interface Slots<Job> {
  take(lane: Lane<Job>, kind: SlotKind, job: Job): void;
  of(job: Job): Slot<Job> | undefined;
  /** Changes the kind of a slot from new to suspect. @returns false if there is no room: the kind stays the same */
  makeSuspect(slot: Slot<Job>): boolean;
  /** Counts the size of the row that was read. @returns false if there is no room */
  addRow(slot: Slot<Job>, bytes: number): boolean;
  /** The POST of a slot may begin, at the origin that its endpoint is known to have. */
  confirm(slot: Slot<Job>): void;
  /** The POST of a slot begins now. */
  postBegins(slot: Slot<Job>): void;
  free(slot: Slot<Job>): void;
  /** Moves POSTs that have become old to the lingering pool. @param onLingering called for each that counts as lingering now */
  age(onLingering: (slot: Slot<Job>) => void): void;
  /** When the next POST becomes old; null if none is prompt. */
  nextAgeAt(): number | null;
  size(): number;
}

interface SlotsParts<Job> {
  readonly pools: Pick<Pools, 'hasRoom' | 'admits' | 'take' | 'linger' | 'free'>;
  readonly rows: Pick<RowBytes, 'expect' | 'replace' | 'move' | 'free'>;
  readonly queues: Pick<SlotQueues<Job>, 'countAt' | 'reorder' | 'slotFreed'>;
  readonly monotonicMs: () => number;
}

const isOnProbation = ({ kind }: Pick<Slot<unknown>, 'kind'>) => kind === 'new' || kind === 'suspect';

export function createSlots<Job>({ pools, rows, queues, monotonicMs }: SlotsParts<Job>): Slots<Job> {
  const slots = new Map<Job, Slot<Job>>();
  const prompt = createAgeing<Slot<Job>>(PROMPT_MS);
  const probation = createAgeing<Slot<Job>>(PROBATION_MS);

  const countAtOrigin = ({ countedAt, lane }: Slot<Job>, as: CountedAs, change: 1 | -1) => {
    if (countedAt !== null) queues.countAt(countedAt, lane.workspace, as, change);
  };
  const countProbation = (slot: Slot<Job>) => {
    if (slot.countedAt !== null || !isOnProbation(slot)) return;
    slot.countedAt = slot.origin;
    countAtOrigin(slot, 'onProbation', 1);
  };
  const countLingering = (slot: Slot<Job>) => {
    const wasCounted = slot.countedAt !== null;
    slot.lane.lingering += 1;
    slot.lingers = true;
    slot.countedAt = slot.origin;
    countAtOrigin(slot, 'lingering', 1);
    // Last, because an origin without POSTs is forgotten.
    if (wasCounted) countAtOrigin(slot, 'onProbation', -1);
  };
  const changeKind = (slot: Slot<Job>, to: SlotKind) => {
    rows.move(slot.bytes, { from: slot.kind, to });
    slot.kind = to;
  };
  const moveToLingering = (slot: Slot<Job>) => {
    if (slot.kind === 'lingering') return;
    pools.linger(slot.kind, slot.lane.workspace.usage);
    changeKind(slot, 'lingering');
    queues.reorder(slot.lane.workspace);
  };
  /** Removes and returns the oldest POST in flight that has reached the age. */
  const nextAged = (posts: Ageing<Slot<Job>>): Slot<Job> | null => {
    let slot = posts.next(monotonicMs());
    while (slot !== null && slots.get(slot.job) !== slot) slot = posts.next(monotonicMs());
    return slot;
  };

  return {
    take(lane, kind, job) {
      const { origin } = lane.known;
      const slot: Slot<Job> = {
        job,
        lane,
        kind,
        lingers: false,
        isConfirmed: false,
        origin,
        countedAt: null,
        bytes: rows.expect(kind, lane.workspace.rows),
      };
      slots.set(job, slot);
      pools.take(kind, lane.workspace.usage);
      lane.inFlight += 1;
      lane.chosen += 1;
      if (kind === 'lingering') countLingering(slot);
      else countProbation(slot);
      queues.reorder(lane.workspace);
    },
    of: (job) => slots.get(job),
    makeSuspect(slot) {
      const { usage } = slot.lane.workspace;
      pools.free('new', usage);
      const hasRoom = pools.hasRoom('suspect') && pools.admits('suspect', usage);
      if (hasRoom) changeKind(slot, 'suspect');
      pools.take(slot.kind, usage);
      return hasRoom;
    },
    addRow(slot, bytes) {
      const { kind, lane } = slot;
      const hasRoom = rows.replace(kind, lane.workspace.rows, { expected: slot.bytes, actual: bytes });
      slot.bytes = hasRoom ? bytes : 0;
      return hasRoom;
    },
    confirm(slot) {
      slot.isConfirmed = true;
      slot.origin = slot.lane.known.origin;
      countProbation(slot);
      slot.lane.chosen -= 1;
    },
    postBegins(slot) {
      if (slot.kind === 'lingering') return;
      prompt.add(slot, monotonicMs());
      if (isOnProbation(slot)) probation.add(slot, monotonicMs());
    },
    free(slot) {
      const { job, lane, kind, lingers, isConfirmed, origin, countedAt, bytes } = slot;
      slots.delete(job);
      pools.free(kind, lane.workspace.usage);
      rows.free(kind, lane.workspace.rows, bytes);
      lane.inFlight -= 1;
      if (!isConfirmed) lane.chosen -= 1;
      if (lingers) lane.lingering -= 1;
      countAtOrigin(slot, lingers ? 'lingering' : 'onProbation', -1);
      queues.reorder(lane.workspace);
      queues.slotFreed(kind, countedAt ?? origin);
    },
    age(onLingering) {
      for (let slot = nextAged(probation); slot !== null; slot = nextAged(probation)) moveToLingering(slot);
      for (let slot = nextAged(prompt); slot !== null; slot = nextAged(prompt)) {
        moveToLingering(slot);
        countLingering(slot);
        onLingering(slot);
      }
    },
    nextAgeAt() {
      const [promptAt, probationAt] = [prompt.nextAt(), probation.nextAt()];
      return promptAt === null || probationAt === null
        ? (promptAt ?? probationAt)
        : Math.min(promptAt, probationAt);
    },
    size: () => slots.size,
  };
}
