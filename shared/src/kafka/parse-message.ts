import { isNestedDeeper } from '../domain/is-nested-deeper.js';
import { Undecodable } from './undecodable.js';

/** Maximum nesting depth, beyond which comparing or writing a value exceeds the stack. A stored payload has far fewer levels. */
const MAX_DEPTH = 1_000;

/** Parses the JSON in a message. @throws Undecodable */
export function parseMessage(text: string): unknown {
  if (isNestedDeeper(text, MAX_DEPTH))
    throw new Undecodable(`the value is nested deeper than ${MAX_DEPTH} levels`);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Undecodable('the value is not JSON', { cause });
  }
}
