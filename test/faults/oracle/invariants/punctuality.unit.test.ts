import { ENDPOINT, failures, itChecks, itChecksAtEnd, post, SENT_AT, snapshot } from '../builders.js';
import type { Conditions, Disruption } from '../evidence.js';

const exit = (afterMs: number): Disruption => ({ at: SENT_AT + afterMs, kind: 'exit' });
const reassignment = (afterMs: number): Disruption => ({ at: SENT_AT + afterMs, kind: 'reassignment' });
const postsAt = (moments: readonly number[]) => moments.map((ms) => post({ at: SENT_AT + ms }));

describe('oracle, I4: overdue deliveries', () => {
  const state = failures(1);
  const deliveries = state.deliveries.map((row) => ({ ...row, dueAt: SENT_AT, nextAttemptAt: SENT_AT }));
  const overdue = (seconds: number, conditions: Partial<Conditions> = {}) => ({
    now: snapshot({ ...state, deliveries, at: SENT_AT + seconds * 1_000 }),
    conditions,
  });
  const fault = { faultBegan: SENT_AT - 1_000 };
  const outage = { ...fault, outage: 'broker' } as const;
  const endedAt = (seconds: number) => ({ faultEnded: SENT_AT + seconds * 1_000 });
  itChecks({
    'accepts 29 s before a fault': [overdue(29)],
    'reports 31 s before a fault': [overdue(31), 'I4'],
    'accepts 119 s during a fault': [overdue(119, fault)],
    'reports 121 s during a fault': [overdue(121, fault), 'I4'],
    'reports 121 s after a fault': [overdue(121, { ...fault, ...endedAt(100) }), 'I4'],
    'accepts any time during an outage': [overdue(200, outage)],
    'accepts 110 s after an outage': [overdue(200, { ...outage, ...endedAt(90) })],
    'reports 121 s after an outage': [overdue(211, { ...outage, ...endedAt(90) }), 'I4'],
    'reports 121 s if the outage ended before': [overdue(121, { ...outage, ...endedAt(-0.5) }), 'I4'],
    'accepts any time for an overloaded endpoint': [overdue(31, { overloaded: new Set([ENDPOINT]) })],
  });
});

describe('oracle, I5: early POSTs', () => {
  const disrupted = { disruptions: [exit(100)] };
  const posts = (attempts: number, moments: readonly number[], conditions: Partial<Conditions> = {}) => ({
    now: snapshot(failures(attempts)),
    received: postsAt(moments),
    conditions,
  });
  const timedOut = (records: ReturnType<typeof failures>['attempts']) =>
    records.map((one) => (one.ordinal === 1 ? { ...one, failureReason: 'timeout', httpStatus: null } : one));
  /** The first attempt ends after 3,040 ms, and the receiver reads its POST 160 ms later. */
  const readLate = (secondAt: number) => ({
    now: snapshot({ ...failures(2), attempts: timedOut(failures(2).attempts) }),
    received: postsAt([3_200, secondAt]),
  });
  const state = failures(3);
  const refused = { failureReason: 'connection_refused', httpStatus: null };
  const attempts = state.attempts.map((one) => (one.ordinal === 1 ? { ...one, ...refused } : one));
  itChecks({
    'accepts a POST after its backoff': [posts(2, [0, 600])],
    'reports a POST before its backoff': [posts(2, [0, 400]), 'I5'],
    'ignores when a POST was answered that had timed out': [
      {
        now: snapshot({ ...failures(2), attempts: timedOut(failures(2).attempts) }),
        received: [post({ answer: { status: 200, at: SENT_AT + 3_400 } }), post({ at: SENT_AT + 3_600 })],
      },
    ],
    'accepts a POST after the backoff of one that was read after it had timed out': [readLate(3_600)],
    'reports a POST before the backoff of one that was read after it had timed out': [readLate(3_400), 'I5'],
    'reports a POST before its longer backoff': [posts(3, [0, 600, 1_300]), 'I5'],
    'accepts a repeated POST if the last one came after all backoffs': [
      posts(3, [0, 500, 600, 1_700], disrupted),
    ],
    'reports a repeated POST if the last one came before': [posts(3, [0, 100, 500, 1_200], disrupted), 'I5'],
    'ignores attempts that may not have reached the receiver': [
      { ...posts(3, [0, 5, 1_010], disrupted), now: snapshot({ ...state, attempts }) },
    ],
  });
});

describe('oracle, I8: repeated POSTs', () => {
  const received = postsAt([50, 10_000]);
  const repeated = (...disruptions: Disruption[]) => ({ received, conditions: { disruptions } });
  const six = (maxUnrecorded: number) => ({
    received: postsAt([0, 1, 2, 3, 4, 5]),
    conditions: { disruptions: [exit(10)], maxUnrecorded },
  });
  const afterMs = (ms: number, conditions: Partial<Conditions> = {}) => ({
    received,
    now: snapshot({ at: SENT_AT + ms }),
    conditions,
  });
  itChecksAtEnd({
    'reports a repeat without a disruption': [repeated(), 'I8'],
    'accepts a repeat if a dispatcher ended at once': [repeated(exit(60))],
    'accepts a repeat if a dispatcher ended before the record': [repeated(exit(20_000))],
    'accepts a repeat if partitions were reassigned shortly before': [repeated(reassignment(-5_000))],
    'reports a repeat if a dispatcher ended before the POST': [repeated(exit(-5_000)), 'I8'],
    'reports a repeat if partitions were reassigned long before': [repeated(reassignment(-16_000)), 'I8'],
    'reports a repeat if a dispatcher ended long after': [repeated(exit(45_000)), 'I8'],
    'accepts a late end while the database was unavailable': [
      { received, conditions: { disruptions: [exit(45_000)], outage: 'database' } },
    ],
    'accepts a POST that was sent again because the receiver had closed the connection': [
      { received: [post({ isReset: true }), post({ at: SENT_AT + 60 })] },
    ],
    'reports a POST that was sent a third time within an attempt': [
      { received: [50, 60, 70].map((ms) => post({ at: SENT_AT + ms, isReset: true })) },
      'I8',
    ],
    'reports more repeats than can be unrecorded': [six(4), 'I8'],
    'accepts as many repeats as can be unrecorded': [six(5)],
    'requires an explanation for each repeat of a delivery': [
      { received: postsAt([50, 45_000, 45_100]), conditions: { disruptions: [exit(60)] } },
      'I8',
    ],
  });
  itChecks({
    'accepts a repeat during the run that may still be recorded': [afterMs(40_000)],
    'reports a repeat during the run that must have been recorded': [afterMs(50_000), 'I8'],
    'accepts it while the database is unavailable': [
      afterMs(50_000, { outage: 'database', faultBegan: SENT_AT }),
    ],
  });
});
