/** A set of limited size: it forgets the oldest key when a new one would exceed the limit. */
export interface RecentKeys {
  add(key: string): void;
  has(key: string): boolean;
  /** @returns whether the key was in the set */
  remove(key: string): boolean;
}

export function createRecentKeys(max: number): RecentKeys {
  // A Set keeps the order of insertion, and adding a key again does not change it.
  const keys = new Set<string>();
  return {
    add(key) {
      keys.add(key);
      const [oldest] = keys;
      if (keys.size > max && oldest !== undefined) keys.delete(oldest);
    },
    has: (key) => keys.has(key),
    remove: (key) => keys.delete(key),
  };
}
