import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { totalOf } from '../measure/counts.js';
import { type CpuProfile, timeOfParts } from '../measure/profile-parts.js';
import type { Span } from '../measure/timeline.js';
import type { Cost, Part, Row } from '../report/row.js';
import { type Context, type Scenario, secondsOf } from '../scenario.js';
import { costParts, cpuRatio } from './cost-parts.js';
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
    const at = (perSecond: number, usual: number): readonly [string, Load] => [
      `${perSecond} a second`,
      (environment) => publishStreams(environment, [{ perSecond }], { seconds: secondsOf(context, usual) }),
    ];
    const seconds = secondsOf(context, 30);
    const flatOut: Load = ({ publish }) => publish({ kind: 'flat-out', seconds, window: WINDOW });
    return measureDeliveries(context, [
      costOf(context, ...at(1, 60)),
      costOf(context, ...at(10, 30)),
      ...compared(context, ...at(100, 30)),
      ...compared(context, ...at(500, 30)),
      ...compared(context, 'full load', flatOut),
    ]);
  },
};

/** A load without outcomes and with them. */
function compared(context: Context, label: string, load: Load): Measurement[] {
  const without = `${label} without outcomes`;
  return [
    { ...costOf(context, without, load), env: { OUTCOMES: 'false' } },
    { ...costOf(context, label, load), env: { OUTCOMES: 'true' }, baseline: without },
  ];
}

function costOf(context: Context, label: string, load: Load): Measurement {
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
  const value = cpuRatio(cost, baseline.cost);
  const figures = [{ name: 'times the CPU', unit: '', value, goal: OUTCOMES_GOAL }];
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
