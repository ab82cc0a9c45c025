import { openSilentStreams, openStreams } from '../api/open-streams.js';
import { storeWorkspace } from '../api/workspace.js';
import { type Environment, KIB } from '../environment/environment.js';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { distributionOf } from '../measure/quantile.js';
import { type Context, type Scenario, secondsOf } from '../scenario.js';
import { deliveriesOf, latencyFigures, memoryFigure, ratioFigure } from './figures.js';
import { observe, publishStreams, warmUp } from './load.js';

const WATCHED = 'watched';
const BUSY = 'busy';
const WORKSPACES = 100;
/** The maximum for a token. */
const EACH = 10;
/** Three outcomes for each delivery: 1,000 a second. */
const LOAD = [
  { group: WATCHED, perSecond: 333 },
  { group: BUSY, perSecond: 50 },
];
const OUTCOMES_EACH = 3;
const SECONDS = 60;
/** Outcomes wait for a batch, and for the next fetch. */
const ARRIVE_MS = 3_000;
const NO_STREAMS = 'no streams';
const LIMITS = { timesP99: 1.3, shown: 0.999, apiMb: 512 };

export const streams: Scenario = {
  name: 'streams',
  about:
    `${WORKSPACES} workspaces with ${EACH} streams each at 1,000 outcomes a second: what they cost the deliveries and one api ` +
    `process, also beside ${EACH} streams of a busy workspace that take nothing, with payloads of 8 KiB.`,
  run: (context) =>
    measureDeliveries(context, [
      watching(context, { label: NO_STREAMS, each: 0, silent: 0 }),
      watching(context, { label: '1,000 streams', each: EACH, silent: 0 }),
      watching(context, { label: '1,000 streams, 10 silent', each: EACH, silent: EACH }),
    ]),
};

interface Row {
  readonly label: string;
  /** Streams of each workspace. */
  readonly each: number;
  /** Streams of the busy workspace that are not read. */
  readonly silent: number;
}

function watching(context: Context, { label, each, silent }: Row): Measurement {
  return {
    label,
    ...(each > 0 && { baseline: NO_STREAMS }),
    groups: [healthy(WATCHED, WORKSPACES), healthy(BUSY, 1)],
    bodyBytes: 8 * KIB,
    // All streams have one address.
    env: { MAX_STREAMS: String(2 * WORKSPACES * EACH), RATE_LIMIT_UNKNOWN_TOKENS: '0' },
    async run(environment, baseline) {
      await warmUp(environment);
      const api = await environment.start('api');
      const origin = `http://127.0.0.1:${api.port}`;
      const [watched, busy] = [await tokensOf(environment, WATCHED), await tokensOf(environment, BUSY)];
      const opened = await openStreams({ origin, workspaces: watched, each });
      const closeSilent = await openSilentStreams({ origin, workspaces: busy, each: silent });
      const seconds = secondsOf(context, SECONDS);
      const { published, processes } = await observe(environment, () =>
        publishStreams(environment, LOAD, { seconds }),
      );
      await environment.drained();
      await environment.sleep(ARRIVE_MS);
      const [events, ended, cut] = [opened.events(), opened.ended(), await slowReadersOf(api.metricsPort)];
      opened.close();
      closeSilent();
      return {
        deliveries: published.events,
        processes,
        problems: ended > 0 ? [`${ended} streams that were read have ended`] : [],
        figures({ records }) {
          const deliveries = deliveriesOf(records, published, [WATCHED]);
          const latencies = latencyFigures(deliveries);
          const wanted = deliveries.length * OUTCOMES_EACH * each;
          const value = wanted === 0 ? null : events / wanted;
          return [
            ...latencies,
            ratioFigure('times p99', 'p99', { figures: latencies, baseline }, { atMost: LIMITS.timesP99 }),
            { name: 'outcomes shown', unit: '', value, goal: { atLeast: LIMITS.shown } },
            { name: 'to the stream p95', unit: 'ms', value: distributionOf(opened.delaysMs).p95 },
            { name: 'slow readers ended', unit: '', value: cut },
            memoryFigure(processes, { atMost: LIMITS.apiMb }, 'api'),
          ];
        },
      };
    },
  };
}

function tokensOf({ namespace, population }: Environment, name: string) {
  const indexes = population.endpoints.filter(({ group }) => group.name === name);
  return Promise.all(
    indexes.map(async ({ workspace: index }) => {
      const workspace = population.workspaces[index]!;
      return { slug: workspace.slug, token: await storeWorkspace(namespace, workspace) };
    }),
  );
}

/** Streams that the api ended because too much was unread. */
async function slowReadersOf(metricsPort: number): Promise<number | null> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const value = /^postrider_streams_ended_total\{.*reason="slow_reader".*\} (\d+)$/m.exec(text)?.[1];
  return value === undefined ? null : Number(value);
}
