export interface FairQueueLimits {
  /** Maximum number of tasks that have a slot at the same time. */
  readonly total: number;
  /** Maximum number of slots of one key, which stands for a workspace. */
  readonly perKey: number;
  /** Maximum time for which a task has its slot, in milliseconds. It may continue without one. */
  readonly holdMs: number;
}

export interface FairQueue {
  /** Calls `start` as soon as a slot is free and it is the key's turn. @returns the result of `start` */
  run<T>(key: string, start: () => Promise<T>): Promise<T>;
  /** How many tasks of a key wait for a slot. */
  waiting(key: string): number;
  /** Whether a task of any key waits because all slots are taken. */
  isFull(): boolean;
}

interface Lane {
  readonly key: string;
  readonly waiting: (() => Promise<unknown>)[];
  held: number;
}

/**
 * Limits concurrent tasks for each key and in total. Keys take turns, so that one with many tasks delays another by one
 * task. A slot is free again when its task ends, and after `holdMs` at the latest.
 */
export function createFairQueue({ total, perKey, holdMs }: FairQueueLimits): FairQueue {
  const lanes = new Map<string, Lane>();
  /** Lanes that may start a task, in their turn. */
  const ready = new Set<Lane>();
  let held = 0;

  const update = (lane: Lane) => {
    if (lane.waiting.length > 0 && lane.held < perKey) ready.add(lane);
    if (lane.waiting.length === 0 && lane.held === 0) lanes.delete(lane.key);
  };
  const free = (lane: Lane) => {
    lane.held -= 1;
    held -= 1;
    update(lane);
    startReady();
  };
  const hold = (lane: Lane, work: Promise<unknown>) => {
    let holds = true;
    const release = () => {
      if (!holds) return;
      holds = false;
      clearTimeout(timer);
      free(lane);
    };
    const timer = setTimeout(release, holdMs);
    work.then(release, release);
  };
  const startReady = () => {
    while (held < total) {
      const [lane] = ready;
      if (lane === undefined) return;
      ready.delete(lane);
      const start = lane.waiting.shift();
      if (start === undefined) continue;
      held += 1;
      lane.held += 1;
      update(lane);
      hold(lane, start());
    }
  };
  return {
    run: (key, start) =>
      new Promise((resolve, reject) => {
        const lane = lanes.get(key) ?? { key, waiting: [], held: 0 };
        lanes.set(key, lane);
        lane.waiting.push(() => {
          const task = start();
          task.then(resolve, reject);
          return task;
        });
        update(lane);
        startReady();
      }),
    waiting: (key) => lanes.get(key)?.waiting.length ?? 0,
    isFull: () => ready.size > 0,
  };
}
