/** What waits for the subscribers of one workspace, in the parts in which it is given. */
export interface WaitingQueue {
  add(bytes: number): void;
  /** The first part is given. */
  shift(): void;
  isEmpty(): boolean;
  /** Whether it takes more than its share, so that its subscribers cannot be waited for. */
  isFull(): boolean;
  /** Resolves once it is full or closed. For one caller at a time. */
  full(): Promise<void>;
  /** The last subscriber has left. What waits counts until it is given. */
  close(): void;
}

/** The memory for records that wait for slow subscribers. */
export interface WaitingBudget {
  open(): WaitingQueue;
}

interface WaitingLimits {
  /** Maximum size of what waits in a queue behind its first part, in bytes. */
  readonly maxBytesBehind: number;
  /** Maximum size of what waits in all queues. Beyond it, those that take more than the mean are full. */
  readonly maxBytesOfAll: number;
}

interface State {
  readonly parts: number[];
  bytes: number;
  resolveFull: () => void;
}

export function createWaitingBudget({ maxBytesBehind, maxBytesOfAll }: WaitingLimits): WaitingBudget {
  /** Those that are not empty. */
  const waiting = new Set<State>();
  let bytesOfAll = 0;

  const isFull = ({ bytes, parts: [first = 0] }: State) =>
    bytes - first > maxBytesBehind || (bytesOfAll > maxBytesOfAll && bytes > maxBytesOfAll / waiting.size);
  const change = (state: State, bytes: number) => {
    state.bytes += bytes;
    bytesOfAll += bytes;
    if (state.bytes > 0) waiting.add(state);
    else waiting.delete(state);
  };
  const add = (state: State, bytes: number) => {
    state.parts.push(bytes);
    change(state, bytes);
    if (isFull(state)) state.resolveFull();
    if (bytesOfAll > maxBytesOfAll) for (const one of waiting) if (isFull(one)) one.resolveFull();
  };
  return {
    open() {
      const state: State = { parts: [], bytes: 0, resolveFull() {} };
      return {
        add: (bytes) => add(state, bytes),
        shift: () => change(state, -(state.parts.shift() ?? 0)),
        isEmpty: () => state.bytes === 0,
        isFull: () => isFull(state),
        full() {
          const { promise, resolve } = Promise.withResolvers<void>();
          state.resolveFull = resolve;
          return promise;
        },
        close: () => state.resolveFull(),
      };
    },
  };
}
