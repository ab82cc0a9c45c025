import type { World } from './world/world.js';

/** One way to treat the system badly. */
export interface Fault {
  readonly number: number;
  /** What is done, in a few words. */
  readonly name: string;
  /** Part of the short run. */
  readonly quick: boolean;
  /** Accepted events per second; 15 unless given. */
  readonly rate?: number;
  /** 2 unless given. */
  readonly dispatchers?: number;
  readonly linked?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  /** Paths whose speed must not suffer. */
  readonly healthy?: readonly string[];
  /** Paths that get more than they can take. */
  readonly overloaded?: readonly string[];
  readonly retentionMs?: number;
  /** Does it, under load. Resolves when it is over: from then on the system has to recover. */
  readonly run: (world: World) => Promise<void>;
}
