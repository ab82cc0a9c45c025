import type { Fault } from '../fault.js';
import { CALLS, operate } from '../steps/operators.js';

export const OPERATORS: readonly Fault[] = [
  {
    number: 24,
    name: `two operators per endpoint make ${CALLS} updates, rotations, deletions, replays and tests each`,
    steps: [operate],
  },
];
