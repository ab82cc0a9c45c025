import type { Request, Response } from 'express';
import type { BodyBudget } from './body-budget.js';
import { reserveUntilClosed } from './reserve-until-closed.js';

export interface AnswerParts {
  readonly request: Request;
  readonly response: Response;
  /** Of the large answers of all requests. */
  readonly answers: BodyBudget;
  /** Whether it is that of an operation that changes something. */
  readonly isChange: boolean;
}

/** Smaller answers are not counted: the system takes them at once. */
const COUNTED_BYTES = 128 * 1_024;

/**
 * Sends the JSON of an answer. A client may take it slowly, or not at all: until it has, or has disconnected, the answer uses memory.
 * That of a change is sent in any case: the change is committed.
 *
 * @throws Refusal `Unavailable` if the caller, or all together, have not taken too many bytes yet
 */
export function sendAnswer(parts: AnswerParts, json: Buffer): void {
  const { response, answers, isChange } = parts;
  if (response.closed) return;
  const budget = isChange ? { reserve: answers.count } : answers;
  if (json.length > COUNTED_BYTES) reserveUntilClosed(budget, parts, json.length);
  response.end(json);
}
