import { type Bench, countOf, isWanted, secondsOf } from '../bench.js';
import { withEnvironment } from '../environment/with-environment.js';
import type { Plan } from '../generator/plan.js';
import type { Goal, Row } from '../report/row.js';
import { memoryFigure, rateFigure } from './figures.js';
import { healthy, upTo } from './groups.js';
import type { Scenario } from './scenario.js';

const GROUP = 'quick';
const ENDPOINTS = 500;
const WORKSPACES = upTo(ENDPOINTS);
const GROUPS = [healthy(GROUP, ENDPOINTS)];
const MEMORY_GOAL = { atMost: 400 };
/** Longer than any measurement: nothing becomes due. */
const FAR_STEP = { text: '6h', ms: 6 * 60 * 60 * 1_000 };
const WATCH_SECONDS = 30;

const DRAINED: readonly Waiting[] = [
  { count: 10_000, what: 'deliveries', goal: { atMost: 4 } },
  { count: 100_000, what: 'deliveries' },
  { count: 10_000, what: 'events' },
  { count: 100_000, what: 'events' },
];
const NOT_DUE = 500_000;

export const backlog: Scenario = {
  name: 'backlog',
  about:
    `Work for ${ENDPOINTS} endpoints, answered at once, is waiting when a dispatcher starts. Waiting deliveries: rows and ` +
    'queue messages, as fan-out leaves them. Waiting events: on the event topic, still to be fanned out. The time runs ' +
    'from the joining of the group to the last settled row.',
  async run(bench) {
    const rows: Row[] = [];
    for (const waiting of DRAINED) {
      const events = countOf(bench, waiting.count);
      const label = `${events.toLocaleString('en')} ${waiting.what}`;
      if (isWanted(bench, label)) rows.push(await drain(bench, label, { ...waiting, events }));
    }
    const retries = countOf(bench, NOT_DUE);
    const label = `${retries.toLocaleString('en')} retries, not yet due`;
    if (isWanted(bench, label)) rows.push(await watch(bench, label, retries));
    return rows;
  },
};

interface Waiting {
  readonly count: number;
  readonly what: 'deliveries' | 'events';
  readonly goal?: Goal;
}

function drain(
  bench: Bench,
  label: string,
  { events, what, goal }: Waiting & { readonly events: number },
): Promise<Row> {
  const setup = { label, groups: GROUPS, promised: [{ group: GROUP, attempts: 1 }], dispatchers: 0 };
  return withEnvironment(bench, setup, async (environment) => {
    await environment.publish(waitingAs(what, events));
    const meter = environment.measure();
    await environment.start('dispatcher');
    const from = await environment.joinedAt();
    const to = await environment.drained();
    const processes = meter.stop();
    const seconds = to === null ? null : (to - from) / 1_000;
    return {
      deliveries: events,
      processes,
      figures: () => [
        { name: 'drained after', unit: 's', value: seconds, ...(goal && { goal }) },
        rateFigure('deliveries', events, { from, to }),
        memoryFigure(processes, MEMORY_GOAL),
      ],
    };
  });
}

function waitingAs(what: Waiting['what'], events: number): Plan {
  return what === 'deliveries'
    ? { kind: 'backlog', workspaces: WORKSPACES, events, retryStepMs: null }
    : { kind: 'flat-out', workspaces: WORKSPACES, events, seconds: null, window: null };
}

/** Nothing is to be done: what does it take to know so much work? */
function watch(bench: Bench, label: string, events: number): Promise<Row> {
  const setup = { label, groups: GROUPS, promised: [], dispatchers: 0, env: { RETRY_STEP: FAR_STEP.text } };
  return withEnvironment(bench, setup, async (environment) => {
    await environment.publish({ kind: 'backlog', workspaces: WORKSPACES, events, retryStepMs: FAR_STEP.ms });
    const meter = environment.measure();
    await environment.start('dispatcher');
    await environment.pause(secondsOf(bench, WATCH_SECONDS) * 1_000);
    const processes = meter.stop();
    const early = environment.posts(GROUP);
    return {
      deliveries: events,
      processes,
      wrong: early === 0 ? [] : [`${early} POSTs were made hours before they were due`],
      figures: () => [memoryFigure(processes, MEMORY_GOAL)],
    };
  });
}
