/** Whether leaving the page would lose something, and how to answer the question that is open. */
interface LeaveState {
  readonly isGuarded: boolean;
  /** Null while no question is open. */
  readonly answer: ((mayLeave: boolean) => void) | null;
}

const guards = new Set<symbol>();
const listeners = new Set<() => void>();
let state: LeaveState = { isGuarded: false, answer: null };

const set = (changes: Partial<LeaveState>) => {
  state = { ...state, ...changes };
  for (const listener of listeners) listener();
};

/** Guards the page until the returned function is called. */
export function addLeaveGuard(): () => void {
  const guard = Symbol();
  guards.add(guard);
  set({ isGuarded: true });
  return () => {
    guards.delete(guard);
    set({ isGuarded: guards.size > 0 });
  };
}

/** Asks once, however many guards there are. True at once if there is none. A later question refuses an earlier one. */
export function mayLeave(): Promise<boolean> {
  if (!state.isGuarded) return Promise.resolve(true);
  state.answer?.(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  set({
    answer: (answer) => {
      set({ answer: null });
      resolve(answer);
    },
  });
  return promise;
}

export const leaveState = (): LeaveState => state;

/** Calls the listener after each change, until the returned function is called. */
export function watchLeaveState(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
