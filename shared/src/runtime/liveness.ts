/**
 * How long the event loop of a process may take to reply before the process counts as stuck. An overloaded process replies
 * late, and would be restarted in vain; one that never replies has to be restarted.
 */
export const STUCK_AFTER_MS = 60_000;

/** The state of a process, as another thread knows it. */
export interface Reply {
  /** The last reply of the process. */
  readonly alive: boolean;
  /** For how long the process has owed a reply, in milliseconds; 0 if it owes none. */
  readonly overdueMs: number;
}

/** Whether a process should be left running. */
export const isAlive = ({ alive, overdueMs }: Reply): boolean => alive && overdueMs < STUCK_AFTER_MS;
