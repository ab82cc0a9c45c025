import type { PoolLimits } from './pool-limits.js';
import type { Standing } from './standing.js';

/** The purpose of a slot: for endpoints of one standing, or for endpoints whose POSTs linger. */
export const SLOT_KINDS = ['proven', 'new', 'suspect', 'lingering'] as const;
export type SlotKind = (typeof SLOT_KINDS)[number];

export function slotKindOf(standing: Standing): SlotKind {
  return standing === 'slow' || standing === 'silent' ? 'lingering' : standing;
}

/** Fraction of the lingering pool, and of a workspace's share of it, that is reserved for endpoints that are tried out. */
const KEPT_FOR_NEW = 1 / 4;

/** The number of lingering POSTs, out of `limit`, at which no slot of this kind is taken. */
function lingeringLimit(kind: SlotKind, limit: number): number {
  return kind === 'suspect' || kind === 'lingering' ? limit - Math.floor(limit * KEPT_FOR_NEW) : limit;
}

/** The slots that a workspace uses. */
export interface Usage {
  prompt: number;
  lingering: number;
}

export interface PoolFigures {
  /** POSTs in flight for less than a second. */
  readonly prompt: number;
  /** Prompt POSTs to endpoints on probation. */
  readonly probation: number;
  readonly lingering: number;
}

/** Counts the slots of all POSTs and decides which may be taken. A POST moves to the lingering pool once it lingers. */
export interface Pools {
  hasRoom(kind: SlotKind): boolean;
  /**
   * Whether the workspace leaves prompt slots free for workspaces that use fewer. With eight POSTs for each free slot, one that
   * is alone uses eight ninths of them. The more workspaces are busy, the fewer slots stay free.
   */
  leavesRoom(kind: SlotKind, usage: Readonly<Usage>): boolean;
  /** Whether the workspace may take a slot while there is room. */
  admits(kind: SlotKind, usage: Readonly<Usage>): boolean;
  take(kind: SlotKind, usage: Usage): void;
  /** Moves a slot of the prompt pool to the lingering one, even above its limits: a POST cannot be unsent. */
  linger(kind: Exclude<SlotKind, 'lingering'>, usage: Usage): void;
  /** Frees a slot that is still in the pool in which it was taken. */
  free(kind: SlotKind, usage: Usage): void;
  /** Whether the lingering pool is less than half full. */
  isCalm(): boolean;
  figures(): PoolFigures;
}

/** The size of the lingering pool, in multiples of its limit, at which no more POSTs to proven endpoints start. */
const CEILING = 2;

export function createPools(limits: PoolLimits): Pools {
  const inUse = { proven: 0, new: 0, suspect: 0, lingering: 0 };
  /** Lingering POSTs without those above their workspace's share: one workspace takes no room from others. */
  let withinShares = 0;
  const probation = () => inUse.new + inUse.suspect;
  const prompt = () => inUse.proven + probation();
  const mayTryOut = (kind: 'new' | 'suspect') =>
    prompt() < limits.prompt &&
    probation() < limits.probation &&
    withinShares + probation() < lingeringLimit(kind, limits.lingering);
  const freeFor = (kind: Exclude<SlotKind, 'lingering'>) => {
    const free = limits.prompt - prompt();
    return kind === 'proven' ? free : Math.min(free, limits.probation - probation());
  };
  const addLingering = (usage: Usage) => {
    inUse.lingering += 1;
    usage.lingering += 1;
    if (usage.lingering <= limits.perWorkspace) withinShares += 1;
  };
  const removeLingering = (usage: Usage) => {
    if (usage.lingering <= limits.perWorkspace) withinShares -= 1;
    usage.lingering -= 1;
    inUse.lingering -= 1;
  };
  const change = (kind: Exclude<SlotKind, 'lingering'>, usage: Usage, by: 1 | -1) => {
    inUse[kind] += by;
    usage.prompt += by;
  };
  return {
    hasRoom(kind) {
      switch (kind) {
        case 'proven':
          return prompt() < limits.prompt && inUse.lingering < CEILING * limits.lingering;
        case 'new':
          return mayTryOut('new');
        case 'suspect':
          return mayTryOut('suspect') && inUse.suspect < limits.suspect;
        case 'lingering':
          return withinShares < lingeringLimit('lingering', limits.lingering);
      }
    },
    leavesRoom: (kind, usage) => kind === 'lingering' || usage.prompt < limits.perFree * freeFor(kind),
    admits: (kind, usage) =>
      usage.lingering < lingeringLimit(kind, limits.perWorkspace) ||
      (kind === 'proven' && inUse.lingering < limits.lingering),
    take(kind, usage) {
      if (kind === 'lingering') addLingering(usage);
      else change(kind, usage, 1);
    },
    linger(kind, usage) {
      change(kind, usage, -1);
      addLingering(usage);
    },
    free(kind, usage) {
      if (kind === 'lingering') removeLingering(usage);
      else change(kind, usage, -1);
    },
    isCalm: () => inUse.lingering * 2 < limits.lingering,
    figures: () => ({ prompt: prompt(), probation: probation(), lingering: inUse.lingering }),
  };
}
