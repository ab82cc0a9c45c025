/** The exit codes of all commands. */
export const EXIT_CODES = {
  succeeded: 0,
  /** The service refused the request or failed, or standard output cannot be written. */
  refused: 1,
  /** The command line is wrong. */
  misused: 2,
  /** There is no valid token, or it lacks a permission. */
  unauthorized: 3,
  notFound: 4,
  /** The service cannot be reached, or asks to wait. Trying again helps. */
  unavailable: 5,
  /** The command ran, and its result is negative: a signature is invalid, or a check or a replay job failed. */
  negative: 6,
} as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];
