import { type Bench, isWanted, secondsOf } from '../bench.js';
import { withEnvironment } from '../environment/with-environment.js';
import { machineNow } from '../measure/clock.js';
import type { Row } from '../report/row.js';
import { workspacesOf } from '../world/population.js';
import { deliveriesOf, keptFigure, lagFigure, latencyFigures, memoryFigure, timesFigure } from './figures.js';
import { upTo } from './groups.js';
import { CASES, type Case, ILL, NOBODY_ILL } from './illness.js';
import type { Scenario } from './scenario.js';
import { warmUp } from './warm-up.js';

const RATES = [200, 1_000];
const SECONDS = 60;
/** Time-outs take ten seconds: before that nothing is as it stays. */
const SETTLING_SECONDS = 15;

export const isolation: Scenario = {
  name: 'isolation',
  about:
    '500 endpoints, some of them ill; of the healthy ones half answer after 1 ms and half after 100 ms. The figures are ' +
    'those of the healthy ones; on one host: of the healthy ones of that host. Dead: accepts and never answers. Slow: ' +
    'answers 200 after 9 s. Unresolvable: the name servers never answer. "Times p99" compares with the row without ill ' +
    'ones of the same run and rate.',
  async run(bench) {
    const rows: Row[] = [];
    for (const perSecond of RATES) rows.push(...(await atRate(bench, perSecond)));
    return rows;
  },
};

async function atRate(bench: Bench, perSecond: number): Promise<Row[]> {
  const named = (one: Case): Case => ({ ...one, label: `${perSecond} a second, ${one.label}` });
  const none = named(NOBODY_ILL);
  const wanted = CASES.map(named).filter(({ label }) => isWanted(bench, label));
  if (wanted.length === 0 && !isWanted(bench, none.label)) return [];
  const rows = [await measure(bench, none, { perSecond, healthyP99: null })];
  const healthyP99 = rows[0]?.figures.find(({ name }) => name === 'p99')?.value ?? null;
  for (const one of wanted) rows.push(await measure(bench, one, { perSecond, healthyP99 }));
  return rows;
}

interface Comparison {
  readonly perSecond: number;
  /** Of the row without ill ones, in milliseconds. */
  readonly healthyP99: number | null;
}

function measure(bench: Bench, { label, groups, ...one }: Case, { perSecond, healthyP99 }: Comparison) {
  const well = groups.map(({ name }) => name).filter((name) => name !== ILL);
  const promised = well.map((group) => ({ group, attempts: 1 }));
  return withEnvironment(bench, { label, groups, promised }, async (environment) => {
    const { population } = environment;
    const streams = [{ workspaces: upTo(population.workspaces.length), perSecond }];
    await warmUp(
      environment,
      well.flatMap((name) => workspacesOf(population, name)),
    );
    const seconds = secondsOf(bench, SECONDS);
    await environment.publish({ kind: 'at-rate', streams, seconds: Math.min(SETTLING_SECONDS, seconds) });
    const meter = environment.measure();
    const from = machineNow();
    const published = await environment.publish({ kind: 'at-rate', streams, seconds });
    const span = { from, to: machineNow() };
    const processes = meter.stop();
    await environment.drained();
    return {
      deliveries: published.events,
      processes,
      figures: ({ records }) => {
        const latencies = latencyFigures(deliveriesOf(records, published, one.watched));
        return [
          keptFigure(records, { span, groups: one.watched, goal: { atLeast: one.keepsRate } }),
          ...latencies,
          timesFigure(latencies, healthyP99, { atMost: one.worsensP99 }),
          lagFigure(published),
          memoryFigure(processes),
        ];
      },
    };
  });
}
