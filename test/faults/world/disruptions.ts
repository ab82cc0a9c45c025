import type { Disruption } from '../oracle/evidence.js';

/** Records when dispatchers exited, and when partitions moved from a living one to another. */
export interface DisruptionLog {
  /** @param assignment partitions by topic */
  assigned(process: object, assignment: Readonly<Record<string, readonly number[]>>): void;
  /** A later assignment of its partitions is no reassignment. */
  exited(process: object): void;
  /** From now on a frozen process may be unaware that it lost its partitions. */
  reassigned(): void;
  /** Empties the list, but keeps the owners of the partitions. */
  reset(): void;
  list(): readonly Disruption[];
}

export function countReassignments(disruptions: readonly Disruption[]): number {
  return disruptions.filter(({ kind }) => kind === 'reassignment').length;
}

export function createDisruptionLog(wallMs: () => number): DisruptionLog {
  const owners = new Map<string, object>();
  let list: Disruption[] = [];
  const add = (kind: Disruption['kind']) => void list.push({ at: wallMs(), kind });
  return {
    assigned(process, assignment) {
      const losers = new Set<object>();
      for (const [topic, partitions] of Object.entries(assignment))
        for (const partition of partitions) {
          const owner = owners.get(`${topic}/${partition}`);
          if (owner !== undefined && owner !== process) losers.add(owner);
          owners.set(`${topic}/${partition}`, process);
        }
      for (const _loser of losers) add('reassignment');
    },
    exited(process) {
      for (const [partition, owner] of owners) if (owner === process) owners.delete(partition);
      add('exit');
    },
    reassigned: () => add('reassignment'),
    reset() {
      list = [];
    },
    list: () => list,
  };
}
