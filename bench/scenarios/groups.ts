import type { Answer } from '../receiver/answer.js';
import type { Group, Place } from '../world/population.js';

/** On the receiver, on a host of their own or all on one. */
export function answering(answer: Answer, host: 'own' | 'shared' = 'own'): Place {
  return { kind: 'receiver', answer, host };
}

/** Endpoints that answer 200, after a while. */
export function healthy(name: string, count: number, delayMs = 0): Group {
  return { name, count, place: answering({ kind: 'after', delayMs }) };
}

/** All whole numbers below `count`. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
