import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { totalOf } from '../measure/counts.js';
import { type CpuProfile, timeOfParts } from '../measure/profile-parts.js';
import type { Span } from '../measure/timeline.js';
import { serversWithoutThreads } from '../processes/server-threads.js';
import type { Cost, Goal, Part, Row } from '../report/row.js';
import { type Context, type Scenario, secondsOf } from '../scenario.js';
import { costParts, cpuRatio, cpuRatioByReceiver } from './cost-parts.js';
import { stackCpuFigure } from './figures.js';
import { STACK_CPU } from './goals.js';
import { publishStreams } from './load.js';
import { type Load, measureCaused } from './measure-caused.js';

const ENDPOINTS = 100;
/** Deliveries in flight at full load. */
const WINDOW = 4_000;
/** Limit for the CPU of a delivery with outcomes, relative to one without. */
const OUTCOMES_GOAL = { atMost: 1.05 };

export const cost: Scenario = {
  name: 'cost',
  about:
    `What a delivery to one of ${ENDPOINTS} endpoints costs at different rates: commands, requests, CPU and disk, ` +
    'and how much of it the records of outcomes are.',
  run(context) {
    reportUnknownThreads(context);
    const seconds = secondsOf(context, 30);
    const at = (perSecond: number, goal?: Goal, limit = { seconds }): CostRow => ({
      label: `${perSecond} a second`,
      load: (environment) => publishStreams(environment, [{ perSecond }], limit),
      goal,
    });
    const flatOut: Load = ({ publish }) => publish({ kind: 'flat-out', seconds, window: WINDOW });
    return measureDeliveries(context, [
      costOf(context, at(1, undefined, { seconds: secondsOf(context, 60) })),
      costOf(context, at(10, STACK_CPU[10])),
      ...compared(context, at(100, STACK_CPU[100])),
      ...compared(context, at(500, STACK_CPU[500])),
      ...compared(context, { label: 'full load', load: flatOut }),
    ]);
  },
};

function reportUnknownThreads({ serverProcesses, progress }: Context): void {
  const servers = serversWithoutThreads(serverProcesses).join(' and ');
  if (servers !== '') progress(`the CPU of the threads of ${servers} is unknown here: no table shows it`);
}

interface CostRow {
  readonly label: string;
  readonly load: Load;
  /** For the CPU of the stack for each delivery. */
  readonly goal?: Goal | undefined;
}

/** A load without outcomes and with them, for which the goal holds. */
function compared(context: Context, row: CostRow): Measurement[] {
  const without = `${row.label} without outcomes`;
  return [
    { ...costOf(context, { label: without, load: row.load }), env: { OUTCOMES: 'false' } },
    { ...costOf(context, row), env: { OUTCOMES: 'true' }, baseline: without },
  ];
}

function costOf(context: Context, { label, load, goal }: CostRow): Measurement {
  const { profiles } = context.options;
  return {
    label,
    groups: [healthy('quick', ENDPOINTS)],
    countRequests: true,
    async run(environment, baseline) {
      const dispatcher = environment.services.find(({ name }) => name === 'dispatcher');
      const { caused, span } = await measureCaused(context, environment, load);
      const { deliveries, processes, commands, requests } = caused;
      const each = (count: number) => count / deliveries;
      return {
        deliveries,
        processes,
        figures: () => [
          { name: 'MongoDB commands each', unit: '', value: each(totalOf(commands)) },
          { name: 'Kafka requests each', unit: '', value: each(totalOf(requests)) },
          stackCpuFigure(processes, deliveries, goal),
        ],
        // The profile is complete once the process has ended.
        parts: () => [
          ...costParts(label, caused),
          ...(baseline === null ? [] : [outcomesPart(label, caused, baseline)]),
          ...(profiles === null || dispatcher === undefined
            ? []
            : [profilePart(label, readProfile(profiles, dispatcher.pid), { span, each })]),
        ],
      };
    },
  };
}

function outcomesPart(label: string, cost: Cost, baseline: Row): Part {
  const byReceiver = cpuRatioByReceiver(cost, baseline.cost);
  const figures = [
    { name: 'times the CPU', unit: '', value: cpuRatio(cost, baseline.cost) },
    { name: 'in units of the receiver', unit: '', value: byReceiver, goal: OUTCOMES_GOAL },
  ];
  return { label: `${label}, compared with ${baseline.label}`, figures };
}

function readProfile(directory: string, pid: number): CpuProfile {
  const file = readdirSync(directory).find((name) => name.includes(`.${pid}.`));
  if (file === undefined) throw new Error(`${directory} has no CPU profile of process ${pid}`);
  return JSON.parse(readFileSync(join(directory, file), 'utf8'));
}

function profilePart(
  label: string,
  profile: CpuProfile,
  { span, each }: { readonly span: Span; readonly each: (count: number) => number },
): Part {
  const figures = [...timeOfParts(profile, span)].map(([name, time]) => ({
    name,
    unit: 'µs',
    value: each(time),
  }));
  return { label: `${label}: dispatcher`, figures };
}
