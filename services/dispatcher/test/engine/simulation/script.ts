import fc from 'fast-check';
import { type Fault, OPERATIONS } from './faults.js';
import type { Answer } from './receiver.js';

/** The process that has stored rows may start them itself. */
export interface Offer {
  readonly process: number;
  /** How long ago the endpoint was read, in milliseconds. */
  readonly endpointAge: number;
  /** How long the messages of rows that are taken wait, in milliseconds. */
  readonly gatherMs: number;
}

export type Action =
  /** Deliveries to one endpoint; the messages of some are lost. */
  | {
      readonly do: 'deliver';
      readonly endpoint: number;
      readonly count: number;
      readonly lost: boolean;
      readonly offer: Offer | null;
    }
  /** A duplicate message, on any topic. */
  | { readonly do: 'copy'; readonly which: number; readonly tier: number }
  /** A message for an attempt that is not the next one. */
  | { readonly do: 'stray'; readonly which: number; readonly ordinal: number }
  | { readonly do: 'move'; readonly partition: number; readonly to: number }
  | { readonly do: 'kill'; readonly process: number }
  | { readonly do: 'toggle'; readonly endpoint: number }
  | { readonly do: 'recreate' }
  | ({ readonly do: 'break' } & Fault);

export interface Script {
  readonly actions: readonly (Action & { readonly after: number })[];
  readonly answers: readonly Answer[];
}

export const ENDPOINTS = 3;
export const PROCESSES = 2;

const ok: Answer['outcome'] = { kind: 'answered', httpStatus: 200, responseBody: null };
const bad: Answer['outcome'] = { kind: 'answered', httpStatus: 503, responseBody: null };
const gone: Answer['outcome'] = { kind: 'answered', httpStatus: 410, responseBody: null };
const silent: Answer['outcome'] = { kind: 'unreachable', reason: 'timeout' };

const endpoint = fc.nat(ENDPOINTS - 1);
const which = fc.nat(100);
const always = <T>(value: T) => fc.constant(value);

const offer = fc.option(
  fc.record({
    process: fc.nat(PROCESSES - 1),
    endpointAge: fc.nat(400),
    gatherMs: fc.oneof(fc.nat(100), fc.nat(3_000)),
  }),
);

/** The kinds of actions by name. */
const ACTIONS = {
  deliver: fc.record({
    do: always('deliver' as const),
    endpoint,
    count: fc.integer({ min: 1, max: 6 }),
    lost: always(false),
    offer,
  }),
  lose: fc.record({
    do: always('deliver' as const),
    endpoint,
    count: fc.integer({ min: 1, max: 3 }),
    lost: always(true),
    offer,
  }),
  copy: fc.record({ do: always('copy' as const), which, tier: fc.nat(6) }),
  stray: fc.record({ do: always('stray' as const), which, ordinal: fc.integer({ min: 1, max: 8 }) }),
  move: fc.record({ do: always('move' as const), partition: fc.nat(1), to: fc.nat(PROCESSES - 1) }),
  kill: fc.record({ do: always('kill' as const), process: fc.nat(PROCESSES - 1) }),
  toggle: fc.record({ do: always('toggle' as const), endpoint }),
  recreate: fc.record({ do: always('recreate' as const) }),
  break: fc.record({
    do: always('break' as const),
    operation: fc.constantFrom(...OPERATIONS),
    times: fc.integer({ min: 1, max: 9 }),
    when: fc.constantFrom('before' as const, 'after' as const),
  }),
};

/** The other parts of a script. */
export interface Genre {
  readonly happens: readonly (keyof typeof ACTIONS)[];
  /** Maximum duration of a response, in milliseconds. */
  readonly slowest: number;
}

/** Scripts of deliveries and the given kinds of actions. */
export function scripts({ happens, slowest }: Genre): fc.Arbitrary<Script> {
  const action: fc.Arbitrary<Action> = fc.oneof(
    { weight: happens.length, arbitrary: ACTIONS.deliver },
    ...happens.map((name) => ({ weight: 1, arbitrary: ACTIONS[name] as fc.Arbitrary<Action> })),
  );
  const after = fc.oneof(always(0), fc.nat(40), fc.nat(4_000));
  const outcome = fc.constantFrom(ok, ok, bad, bad, gone, slowest > 1_000 ? silent : bad);
  return fc.record({
    actions: fc.array(
      fc.tuple(action, after).map(([one, ms]) => ({ ...one, after: ms })),
      { minLength: 4, maxLength: 30, size: 'max' },
    ),
    answers: fc.array(fc.record({ outcome, durationMs: fc.nat(slowest) }), { minLength: 1, maxLength: 6 }),
  });
}
