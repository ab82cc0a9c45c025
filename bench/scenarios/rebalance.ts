import type { DeliveryRecord } from '../account/delivery-record.js';
import { type Bench, isWanted, secondsOf } from '../bench.js';
import { withEnvironment } from '../environment/with-environment.js';
import { machineNow } from '../measure/clock.js';
import { distributionOf } from '../measure/quantile.js';
import { slicesPerSecond } from '../measure/timeline.js';
import type { Figure, Row } from '../report/row.js';
import { deliveriesOf, firstArrivalsOf, lagFigure } from './figures.js';
import { healthy, upTo } from './groups.js';
import { warmUp } from './warm-up.js';

const GROUP = 'quick';
const ENDPOINTS = 100;
const PER_SECOND = 2_000;
const SECONDS = 60;
/** How long after a change its consequences are looked for. */
const AFTERMATH_MS = 15_000;
const SLICE_MS = 250;
const GOAL = { atMost: 3 };

/**
 * A second dispatcher joins after a third of the time and leaves after two thirds. Throughput lost: how many seconds'
 * deliveries did not come in the fifteen seconds after each; what is caught up later is not set off against it.
 */
export async function rebalance(bench: Bench): Promise<Row[]> {
  const label = `a second dispatcher joins and leaves at ${PER_SECOND.toLocaleString('en')} a second`;
  return isWanted(bench, label) ? [await joinAndLeave(bench, label)] : [];
}

function joinAndLeave(bench: Bench, label: string): Promise<Row> {
  const workspaces = upTo(ENDPOINTS);
  const setup = {
    label,
    groups: [healthy(GROUP, ENDPOINTS)],
    promised: [{ group: GROUP, attempts: 1 }],
    resends: 'allowed',
  } as const;
  return withEnvironment(bench, setup, async (environment) => {
    await warmUp(environment, workspaces);
    const third = (secondsOf(bench, SECONDS) * 1_000) / 3;
    const meter = environment.measure();
    const streams = [{ workspaces, perSecond: PER_SECOND }];
    const publishing = environment.publish({ kind: 'at-rate', streams, seconds: (third * 3) / 1_000 });
    const startedAt = machineNow();
    const until = async (after: number) => {
      await environment.pause(Math.max(0, startedAt + after - machineNow()));
      return machineNow();
    };
    const changes = async () => {
      const joined = await until(third);
      const second = await environment.start('dispatcher');
      const left = await until(2 * third);
      await environment.stop(second);
      return { joined, left };
    };
    const [published, { joined, left }] = await Promise.all([publishing, changes()]);
    const processes = meter.stop();
    await environment.drained();
    return {
      deliveries: published.events,
      processes,
      figures: ({ records }) => {
        const deliveries = deliveriesOf(records, published, [GROUP]);
        return [
          ...aftermath('join', deliveries, joined),
          ...aftermath('leave', deliveries, left),
          lagFigure(published),
        ];
      },
    };
  });
}

function aftermath(change: string, deliveries: readonly DeliveryRecord[], at: number): Figure[] {
  const made = distributionOf(deliveries.map(({ madeAt }) => madeAt));
  const span = { from: at, to: Math.min(at + AFTERMATH_MS, made.greatest ?? at) };
  const slices = slicesPerSecond(firstArrivalsOf(deliveries), span, SLICE_MS);
  const waits = deliveries
    .filter(({ madeAt }) => madeAt >= span.from && madeAt < span.to)
    .flatMap(({ madeAt, arrivals }) => (arrivals[0] === undefined ? [] : [arrivals[0] - madeAt]));
  return [
    {
      name: `${change}: throughput lost`,
      unit: 's',
      value: secondsLost(slices, PER_SECOND, SLICE_MS),
      goal: GOAL,
    },
    { name: `${change}: longest wait`, unit: 'ms', value: distributionOf(waits).greatest },
  ];
}

/**
 * How many seconds' worth of a rate is missing in these slices; a slice above the rate makes up for no other.
 *
 * @returns null without slices
 */
export function secondsLost(slices: readonly number[], perSecond: number, sliceMs: number): number | null {
  if (slices.length === 0) return null;
  return slices.reduce((lost, rate) => lost + (Math.max(0, 1 - rate / perSecond) * sliceMs) / 1_000, 0);
}
