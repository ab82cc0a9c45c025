/** Why `fetch` failed. It hides the reason in the cause, and where a name has several addresses, in the errors of the cause. */
export function explainFetchError({ message, cause }: Error): string {
  const reason: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  if (!(reason instanceof Error)) return message;
  return reason.message === '' && 'code' in reason ? String(reason.code) : reason.message;
}
