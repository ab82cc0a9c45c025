import { isRecord } from '@postrider/shared/domain/is-record';

interface SplitMessage {
  /** The message without the arguments and `task`, for the protocol library. */
  readonly message: unknown;
  /** The arguments of a tool, of any type; an empty object when there are none. */
  readonly args: unknown;
}

/**
 * Takes the arguments out of a message. The protocol library would drop a field named `__proto__`, and report
 * arguments that are not an object as an internal error; both must be reported to the caller as mistakes. It would also
 * refuse a request to run as a task, which a server without tasks has to handle as any other.
 */
export function splitArguments(message: unknown): SplitMessage {
  if (!isRecord(message) || !isRecord(message.params)) return { message, args: {} };
  const { arguments: args = {}, task: _, ...params } = message.params;
  return { message: { ...message, params }, args };
}
