/** The command cannot be carried out as it was given. The message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
