import { cpus } from 'node:os';
import type { Result } from './results.js';
import { RATE } from './run-fault.js';
import { judgedOf, sum, tableOf } from './table.js';
import { STEP_MS } from './world/world.js';

/** docs/faults.md: what was done, on what machine, and what came of it. */
export function documentOf(results: readonly Result[]): string {
  const seeds = [...new Set(results.map(({ seed }) => seed))].sort((a, b) => a - b);
  const days = [...new Set(results.map(({ day }) => day))].sort();
  const processors = cpus();
  const judged = judgedOf(results);
  const inAll = (of: Parameters<typeof sum>[1]) => sum(judged, of).toLocaleString('en');
  return `# Faults

\`npm run test:faults -- --seed ${seeds[0]}\` plays this again: real servers and services as processes, under load, each
fault in a world of its own. The seeds of the table: ${seeds.join(', ')}.

An oracle that shares no code with the services compares three logs: what the api accepted, what the receiver got, and
the database, again and again during the run and once more when all is quiet. It judges:

| | invariant |
|---|---|
| I1 | every accepted event comes to an end at each endpoint that it is owed to; what is delivered was answered with a 2xx |
| I2 | one row per event and endpoint, one record per attempt, ordinals without a gap, at most seven attempts and one closing record; records never change |
| I3 | the changes of a failure streak are one unbroken chain; each disabling is audited once |
| I4 | nothing is past its due time by 30 s, nor by 120 s once a fault has begun; where it stops everything, once it is over |
| I5 | no POST comes early, by the receiver's clock |
| I6 | a replay is verbatim and leaves its source as it was |
| I7 | a summary is what its attempts come to, with all that it says of the last one, and never goes back |
| I8 | a POST is repeated only where a process ended, or lost its partitions, before it was recorded |
| I9 | ill endpoints do not slow healthy ones down |
| I10 | every POST verifies, repeats its body to the byte, and is the delivery that the database has |
| I11 | each cause leaves one audit entry and one notification, and everything promised is published |

Besides, no service may end that nobody killed, and the api has to accept calls during the fault. The retry step is
${STEP_MS} ms here and a session lasts six seconds, so that minutes are enough. Unless the table says otherwise, the api is
called ${RATE} times a second, now and then for a test or a replay beside; of the endpoints some fail now and then, some for
good.

${tableOf(results)}

In all, ${inAll(({ events }) => events)} events were accepted, and ${inAll(({ deliveries }) => deliveries)} deliveries came of them; of
${inAll(({ answers }) => answers.all)} calls during the faults ${inAll(({ answers }) => answers.accepted)} were accepted. The figures of a
fault's seeds are added up, except for load and recovery time:

- **load**: calls per second that make an event × endpoints at the end of the run.
- **kills**: processes that were killed from outside or at a failpoint, or frozen.
- **lost**: violations of I1: events without a delivery that was owed, deliveries that came to no end or were delivered
  without a 2xx.
- **duplicates**: POSTs beyond the recorded attempts of their delivery; all of them are explained by I8 where it is green.
- **recovery time**: from the end of the fault, in seconds, for each seed, until an event from after it had all its rows,
  every accepted event was fanned out, and nothing was overdue by more than 2 s, seen twice in a row. More than 60 is
  red.

${days.join(', ')}; ${processors.length} × ${processors[0]?.model.trim() ?? 'unknown processor'}, everything on one machine.
`;
}
