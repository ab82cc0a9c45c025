import type { Disruption } from '../oracle/evidence.js';

/** The partitions of a group's member, by topic. */
export type Assignment = Readonly<Record<string, readonly number[]>>;

/** Notes when dispatchers died, and when partitions went from one that lives to another. */
export interface Disruptions {
  joined(member: object, assignment: Assignment): void;
  /** What it leaves behind when it ends is told once: that others get it afterwards is no move. */
  died(member: object): void;
  /** From here on it may not know what others have taken from it. */
  moved(): void;
  /** Forgets what was before, but not who has what. */
  begin(): void;
  list(): readonly Disruption[];
}

export function disruptions(now: () => number): Disruptions {
  const owners = new Map<string, object>();
  let list: Disruption[] = [];
  return {
    joined(member, assignment) {
      const partitions = Object.entries(assignment).flatMap(([topic, numbers]) =>
        numbers.map((partition) => `${topic}/${partition}`),
      );
      const lost = new Set(partitions.flatMap((partition) => owners.get(partition) ?? []));
      lost.delete(member);
      for (const partition of partitions) owners.set(partition, member);
      for (const _loser of lost) list.push({ at: now(), kind: 'move' });
    },
    died(member) {
      for (const [partition, owner] of owners) if (owner === member) owners.delete(partition);
      list.push({ at: now(), kind: 'death' });
    },
    moved: () => void list.push({ at: now(), kind: 'move' }),
    begin() {
      list = [];
    },
    list: () => list,
  };
}
