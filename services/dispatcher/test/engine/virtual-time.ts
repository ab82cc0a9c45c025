interface Task {
  at: number;
  /** Null if it runs once. */
  readonly every: number | null;
  readonly run: () => void;
}

/** Replaces the global timers by timers that a test advances, until `restore`. Immediates are not replaced. */
export function virtualTime() {
  const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
  const tasks = new Map<unknown, Task>();
  let now = 0;
  const add = (run: () => void, ms: number, every: number | null) => {
    const handle = { unref: () => handle };
    tasks.set(handle, { at: now + ms, every, run });
    return handle;
  };
  const earliest = () => {
    let first: [unknown, Task] | null = null;
    for (const entry of tasks) if (first === null || entry[1].at < first[1].at) first = entry;
    return first;
  };
  const clear = (handle: unknown) => void tasks.delete(handle);
  Object.assign(globalThis, {
    setTimeout: (run: () => void, ms = 0) => add(run, ms, null),
    setInterval: (run: () => void, ms: number) => add(run, ms, ms),
    clearTimeout: clear,
    clearInterval: clear,
  });
  return {
    /** Advances the time and runs the timers that are due, in order. */
    tick(ms: number) {
      const end = now + ms;
      for (let next = earliest(); next !== null && next[1].at <= end; next = earliest()) {
        const [handle, task] = next;
        now = task.at;
        if (task.every === null) tasks.delete(handle);
        else task.at += task.every;
        task.run();
      }
      now = end;
    },
    restore: () => void Object.assign(globalThis, { setTimeout, setInterval, clearTimeout, clearInterval }),
  };
}
