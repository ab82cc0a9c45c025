import { cpus } from 'node:os';
import type { Result } from './results.js';
import { isGreen, type Outcome, RATE } from './run-fault.js';
import { STEP_MS } from './world/world.js';

const sum = (outcomes: readonly Outcome[], count: (outcome: Outcome) => number) =>
  outcomes.reduce((total, outcome) => total + count(outcome), 0);
const outcomesOf = (results: readonly Result[]) => results.flatMap(({ outcome }) => outcome ?? []);

function problemOf({ outcome, missing }: Result): string | null {
  if (outcome === null) return `not run, no ${missing}`;
  if (isGreen(outcome)) return null;
  const violated = [...new Set(outcome.violations.map(({ invariant }) => invariant))];
  return violated.length > 0 ? violated.join(', ') : 'recovered too slowly';
}

function verdictOf(results: readonly Result[]): string {
  const problems = results.flatMap((result) => {
    const problem = problemOf(result);
    return problem === null ? [] : `seed ${result.seed} ${problem}`;
  });
  const isRed = outcomesOf(results).some((outcome) => !isGreen(outcome));
  if (problems.length > 0) return `${isRed ? 'RED: ' : ''}${problems.join('; ')}`;
  return results.length === 1 ? 'green' : `green, ${results.length} of ${results.length}`;
}

const lostIn = ({ violations }: Outcome) => violations.filter(({ invariant }) => invariant === 'I1').length;
const secondsOf = ({ recoveredAfterMs }: Outcome) =>
  recoveredAfterMs === null ? 'never' : (recoveredAfterMs / 1_000).toFixed(1);
const loadOf = ({ load: { rate, endpoints } }: Outcome) => `${rate} × ${endpoints}`;

/** A Markdown table with a row per fault. */
export function tableOf(results: readonly Result[]): string {
  const rows = [...Map.groupBy(results, ({ number }) => number)].map(([number, ofFault]) => {
    const outcomes = outcomesOf(ofFault);
    const cells = [
      number,
      ofFault[0]?.name,
      [...new Set(outcomes.map(loadOf))].join(' · '),
      sum(outcomes, ({ kills }) => kills),
      sum(outcomes, lostIn),
      sum(outcomes, ({ repeatedPosts }) => repeatedPosts),
      outcomes.map(secondsOf).join(' · '),
      verdictOf(ofFault),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return `| # | fault | load | kills | lost | repeated | recovery time, s | verdict |
|--:|---|--:|--:|--:|--:|--:|---|
${rows.join('\n')}`;
}

/** The text of docs/faults.md. */
export function documentOf(results: readonly Result[]): string {
  const seeds = [...new Set(results.map(({ seed }) => seed))].sort((a, b) => a - b);
  const days = [...new Set(results.map(({ day }) => day))].sort();
  const processors = cpus();
  const outcomes = outcomesOf(results);
  const total = (count: (outcome: Outcome) => number) => sum(outcomes, count).toLocaleString('en');
  return `# Faults

The fault suite runs real servers and services as processes, breaks something under load, and checks that nothing is
lost. \`npm run test:faults -- --seed ${seeds[0]}\` repeats a run; the table below contains the seeds ${seeds.join(', ')}. Each fault
has a database and topics of its own.

An oracle that shares no code with the services compares three sources: the calls that the api accepted, the POSTs that
the receiver got, and the database. It does so at intervals during the run, and once more when all work is finished. It
checks these invariants:

| | invariant |
|---|---|
| I1 | Every accepted event is delivered to each subscribed endpoint or fails there for good. A delivery is stored as delivered only if a POST of it was answered with a 2xx. |
| I2 | An event has one delivery per endpoint. A delivery has one record per attempt, consecutive ordinals, at most seven attempts and one closing record. Records never change. |
| I3 | The changes of an endpoint's failure streak form one unbroken chain. Each time failures disable an endpoint, there is one audit entry. |
| I4 | No delivery is overdue by more than 30 s before the fault, or 120 s from its start. If the fault stops all deliveries, the 120 s count from its end. |
| I5 | No retry is sent before its backoff has passed, by the receiver's clock. |
| I6 | A replay has exactly the payload of its source and leaves the source unchanged. |
| I7 | The summary of a delivery, with the result of its last attempt, follows from its attempts and never returns to an earlier state. |
| I8 | A POST is repeated only if a dispatcher ended or lost partitions before the POST was recorded. |
| I9 | Failing endpoints do not slow healthy ones down. |
| I10 | Every POST has a valid signature and matches its stored delivery. All POSTs of a delivery have the same body. |
| I11 | Each cause has one audit entry and, where required, one notification. Every outbox record is published. |

A fault also fails if a service ends unexpectedly, if the api accepts no call during the fault, or if recovery takes more
than 60 s. The retry step is ${STEP_MS} ms and the Kafka session timeout 6 s, so that minutes suffice. By default the api gets
${RATE} calls per second that create an event, with a test or a replay now and then; some endpoints fail sometimes, one always.

${tableOf(results)}

All runs together accepted ${total(({ events }) => events)} events, which led to ${total(({ deliveries }) => deliveries)} deliveries. These events are those of the
whole run: before, during and after the faults, with the calls that build a backlog. The calls during the faults alone
were ${total(({ calls }) => calls.all)}, of which ${total(({ calls }) => calls.accepted)} were accepted; the others met an api that was down or refused them. Kills, lost and
repeated are sums over the seeds of a fault.

- **load**: calls per second that create an event × endpoints at the end of the run.
- **kills**: processes that were frozen, or killed from outside or at a failpoint.
- **lost**: violations of I1.
- **repeated**: POSTs beyond the recorded attempts of their delivery. I8 accounts for all of them where it is green.
- **recovery time**: from the end of the fault, per seed, until two polls in a row see that an event from after the fault
  has all its deliveries, every accepted event is fanned out, and nothing is overdue by more than 2 s.

${days.join(', ')}; ${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, everything on one machine.
`;
}
