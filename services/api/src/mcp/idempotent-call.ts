import type { Input } from '../document/bound-operations.js';
import { Refusal } from '../domain/refusal.js';
import { checkKey, fingerprintOf } from '../http/idempotency-key.js';
import type { Call } from '../operations/call.js';

/** The name of the argument. No operation has an input of this name. */
export const KEY_ARGUMENT = 'idempotencyKey';

/** The argument of every tool that creates something. */
export const KEY_SCHEMA = {
  type: 'string',
  description: 'Calls with the same key within 24 hours take effect once.',
} as const;

interface KeyedTool {
  readonly name: string;
  readonly takesKey: boolean;
}

/**
 * Takes the key out of the arguments of a tool that accepts one. The key belongs to the caller, like the key of a request.
 * For any other tool it stays an argument, which the check of the input refuses.
 *
 * @throws Refusal `InvalidRequest` for an invalid key
 */
export function withIdempotency(
  { name, takesKey }: KeyedTool,
  call: Call,
  args: Input,
): { readonly call: Call; readonly input: Input } {
  const { [KEY_ARGUMENT]: key, ...input } = args;
  if (key === undefined || !takesKey) return { call, input: args };
  if (typeof key !== 'string') throw Refusal.invalid({ path: KEY_ARGUMENT, message: 'must be a string' });
  checkKey(key, KEY_ARGUMENT);
  const fingerprint = fingerprintOf(`tool ${name}`, JSON.stringify(sorted(input)));
  return { call: { ...call, idempotency: { scope: String(call.actor.id), key, fingerprint } }, input };
}

/** The same arguments in another order are the same call. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, sorted(one)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}
