/** A message for the protocol's side, and the arguments for ours. */
interface Parted {
  readonly message: unknown;
  /** The arguments of a tool, whatever they are; an empty object when there are none. */
  readonly given: unknown;
}

/**
 * Takes the arguments out of a message. The protocol's own reader would drop a field that is called `__proto__`, and
 * call it an internal error when they are no object: both are mistakes that the caller should hear of.
 */
export function partArguments(message: unknown): Parted {
  if (!isObject(message) || !isObject(message.params)) return { message, given: {} };
  const { arguments: given = {}, ...params } = message.params;
  return { message: { ...message, params }, given };
}

/** Whether a JSON value is an object, and no list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
