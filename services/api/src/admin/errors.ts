/** The command cannot run as given. The message states what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The command completed and found problems. It has printed them; the message is the summary. */
export class ProblemsFound extends Error {
  override readonly name = 'ProblemsFound';
}
