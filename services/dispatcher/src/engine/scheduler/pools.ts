import type { PoolLimits } from './pool-limits.js';
import type { Standing } from './standing.js';

/** Endpoints that wait for the same kind of slot. */
export const LINES = ['proven', 'new', 'suspect', 'lingering'] as const;
export type Line = (typeof LINES)[number];

export function lineOf(standing: Standing): Line {
  return standing === 'slow' || standing === 'silent' ? 'lingering' : standing;
}

/** The part of the lingering pool, and of a workspace's share of it, that is kept for endpoints that are tried out. */
const KEPT_FOR_NEW = 1 / 4;

/** How much of a limit may linger when an endpoint of this line starts a POST. */
function lingeringLimit(line: Line, limit: number): number {
  return line === 'suspect' || line === 'lingering' ? limit - Math.floor(limit * KEPT_FOR_NEW) : limit;
}

/** The slots that a workspace uses. */
export interface Usage {
  prompt: number;
  lingering: number;
}

export interface PoolFigures {
  /** POSTs in flight for less than a second. */
  readonly prompt: number;
  /** Of those, to endpoints on probation. */
  readonly probation: number;
  readonly lingering: number;
}

/** Counts the slots of all POSTs and decides which may be taken. A POST moves to the lingering pool once it lingers. */
export interface Pools {
  hasRoom(line: Line): boolean;
  /** Whether the workspace may take a slot while there is room. */
  admits(line: Line, usage: Readonly<Usage>): boolean;
  take(line: Line, usage: Usage): void;
  /** Moves a slot of the prompt pool to the lingering one, even above its limits: a POST cannot be unsent. */
  linger(line: Line, usage: Usage): void;
  /** Frees a slot that is still in the pool in which it was taken. */
  free(line: Line, usage: Usage): void;
  /** Whether the lingering pool is less than half full. */
  isCalm(): boolean;
  figures(): PoolFigures;
}

/** The size of the lingering pool, in multiples of its limit, at which nothing starts any more. */
const CEILING = 2;

export function createPools(limits: PoolLimits): Pools {
  const inUse = { proven: 0, new: 0, suspect: 0, lingering: 0 };
  /** Lingering POSTs without those above their workspace's share: one workspace takes no room from others. */
  let withinShares = 0;
  const probation = () => inUse.new + inUse.suspect;
  const prompt = () => inUse.proven + probation();
  const mayTryOut = (line: 'new' | 'suspect') =>
    prompt() < limits.prompt &&
    probation() < limits.probation &&
    withinShares + probation() < lingeringLimit(line, limits.lingering);
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
  const change = (line: Exclude<Line, 'lingering'>, usage: Usage, by: 1 | -1) => {
    inUse[line] += by;
    usage.prompt += by;
  };
  return {
    hasRoom(line) {
      switch (line) {
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
    admits: (line, usage) =>
      usage.lingering < lingeringLimit(line, limits.perWorkspace) ||
      (line === 'proven' && inUse.lingering < limits.lingering),
    take(line, usage) {
      if (line === 'lingering') addLingering(usage);
      else change(line, usage, 1);
    },
    linger(line, usage) {
      if (line === 'lingering') return;
      change(line, usage, -1);
      addLingering(usage);
    },
    free(line, usage) {
      if (line === 'lingering') removeLingering(usage);
      else change(line, usage, -1);
    },
    isCalm: () => inUse.lingering * 2 < limits.lingering,
    figures: () => ({ prompt: prompt(), probation: probation(), lingering: inUse.lingering }),
  };
}
