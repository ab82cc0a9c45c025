import type { Response } from 'express';
import type { ByteBudget } from './byte-budget.js';
import { reserveUntilClosed } from './reserve-until-closed.js';

export interface AnswerParts {
  readonly response: Response;
  /** Budget for the large answers to all requests. */
  readonly answers: ByteBudget;
  /** Whether the operation changes something. */
  readonly isChange: boolean;
}

/** Smaller answers, in bytes, are not counted: the operating system takes them at once. */
const COUNTED_BYTES = 128 * 1_024;

/**
 * Sends the JSON of an answer, which uses memory until the client has taken it or disconnected, however slow the client is.
 * The answer of a change is sent in any case: the change is committed.
 *
 * @throws Refusal `Unavailable` if the caller, or all callers together, have too many bytes that they have not taken yet
 */
export function sendAnswer(parts: AnswerParts, json: Buffer): void {
  const { response, answers, isChange } = parts;
  if (response.closed) return;
  const budget = isChange ? { ...answers, reserve: answers.count } : answers;
  if (json.length > COUNTED_BYTES) reserveUntilClosed(budget, parts, json.length);
  response.end(json);
}
