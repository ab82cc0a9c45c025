import { type Bench, isWanted, secondsOf } from '../bench.js';
import type { Environment } from '../environment/environment.js';
import { withEnvironment } from '../environment/with-environment.js';
import { machineNow } from '../measure/clock.js';
import type { Figure, Row } from '../report/row.js';
import { memoryFigure, rateFigure } from './figures.js';
import { healthy, upTo } from './groups.js';
import { rebalance } from './rebalance.js';
import type { Scenario } from './scenario.js';
import { warmUp } from './warm-up.js';

const GROUP = 'quick';
const ENDPOINTS = 100;
const WORKSPACES = upTo(ENDPOINTS);
const SECONDS = 30;
const IDLE_SECONDS = 10;
/** As many under way as in the throughput scenario. */
const WINDOW = { deliveries: 4_000, perEvent: 1 };
const MORE_PARTITIONS = 4;

export const scale: Scenario = {
  name: 'scale',
  about:
    `What a second dispatcher and more partitions bring and cost: always up to ${WINDOW.deliveries} deliveries under way, ` +
    `${ENDPOINTS} endpoints that answer at once, everything on this one machine. Idle: CPU of the dispatchers while ` +
    'nothing happens. Rebalance: see its own row.',
  async run(bench) {
    const { partitions } = bench.options;
    const sizes = [
      { dispatchers: 1, partitions },
      { dispatchers: 2, partitions },
      { dispatchers: 1, partitions: partitions * MORE_PARTITIONS },
    ];
    const rows: Row[] = [];
    for (const size of sizes) {
      const label = `${size.dispatchers} dispatcher${size.dispatchers > 1 ? 's' : ''}, ${size.partitions} partitions`;
      if (isWanted(bench, label)) rows.push(await flatOut(bench, label, size));
    }
    return [...rows, ...(await rebalance(bench))];
  },
};

interface Size {
  readonly dispatchers: number;
  readonly partitions: number;
}

function flatOut(bench: Bench, label: string, size: Size): Promise<Row> {
  const setup = {
    label,
    groups: [healthy(GROUP, ENDPOINTS)],
    promised: [{ group: GROUP, attempts: 1 }],
    ...size,
  };
  return withEnvironment(bench, setup, async (environment) => {
    await warmUp(environment, WORKSPACES);
    const idle = await idleFigure(bench, environment);
    const meter = environment.measure();
    const before = environment.posts(GROUP);
    const seconds = secondsOf(bench, SECONDS);
    const from = machineNow();
    await environment.publish({
      kind: 'flat-out',
      workspaces: WORKSPACES,
      events: null,
      seconds,
      window: WINDOW,
    });
    const to = machineNow();
    const deliveries = environment.posts(GROUP) - before;
    const processes = meter.stop();
    await environment.drained();
    return {
      deliveries,
      processes,
      figures: () => [rateFigure('deliveries', deliveries, { from, to }), idle, memoryFigure(processes)],
    };
  });
}

async function idleFigure(bench: Bench, environment: Environment): Promise<Figure> {
  const meter = environment.measure();
  const seconds = secondsOf(bench, IDLE_SECONDS);
  await environment.pause(seconds * 1_000);
  const used = meter.stop().find(({ name }) => name === 'dispatcher')?.cpuSeconds ?? null;
  return { name: 'idle CPU', unit: 'ms/s', value: used === null ? null : (used * 1_000) / seconds };
}
