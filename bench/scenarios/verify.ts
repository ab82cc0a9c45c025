import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openWorkspace } from '../api/open-workspace.js';
import { seedDeliveries } from '../api/seed-deliveries.js';
import { type Bench, countOf, isWanted } from '../bench.js';
import { machineNow } from '../measure/clock.js';
import { startJob } from '../processes/job.js';
import { startMeter } from '../processes/meter.js';
import type { Row } from '../report/row.js';
import { openWorld, type World } from '../world/world.js';
import { memoryFigure, rateFigure } from './figures.js';
import type { Scenario } from './scenario.js';

const SIZES = [200_000, 2_000_000] as const;
const ENDPOINTS = 10;

export const verify: Scenario = {
  name: 'verify',
  about:
    '`admin verify` over deliveries with an attempt each, nothing beside it. It has to find no difference.',
  async run(bench) {
    const rows: Row[] = [];
    for (const size of SIZES) {
      const deliveries = countOf(bench, size);
      const label = `${deliveries.toLocaleString('en')} deliveries`;
      if (isWanted(bench, label)) rows.push(await verifyStored(bench, label, deliveries));
    }
    return rows;
  },
};

async function verifyStored(bench: Bench, label: string, deliveries: number): Promise<Row> {
  const { progress, signal, options } = bench;
  const world = await openWorld(bench.servers, options.partitions);
  try {
    const workspace = await openWorkspace(world, ENDPOINTS);
    const { bodyBytes } = options;
    const statusOf = () => 'delivered' as const;
    await seedDeliveries(world, workspace, { deliveries, statusOf, bodyBytes, progress, signal });
    progress(label);
    return await measure(bench, world, { label, deliveries });
  } finally {
    await world.destroy();
  }
}

interface Measured {
  readonly label: string;
  readonly deliveries: number;
}

async function measure(bench: Bench, { env }: World, { label, deliveries }: Measured): Promise<Row> {
  const { directory, signal, serverProcesses } = bench;
  const logFile = join(directory, 'verify.log');
  const from = machineNow();
  const { pid, succeeded } = await startJob({ job: 'verify', env, logFile, signal });
  const meter = startMeter([{ name: 'verify', pid, fresh: true }, ...serverProcesses]);
  await succeeded;
  const to = machineNow();
  const processes = meter.stop();
  const isComplete = (await readFile(logFile, 'utf8')).includes(`${deliveries} deliveries and`);
  if (!bench.options.keepLogs) await rm(logFile);
  return {
    label,
    figures: [
      { name: 'took', unit: 's', value: (to - from) / 1_000 },
      rateFigure('deliveries', deliveries, { from, to }),
      memoryFigure(processes, undefined, 'verify'),
    ],
    cost: { deliveries, processes },
    account: null,
    mismatches: isComplete ? [] : [`it does not say that it read ${deliveries} deliveries`],
    complaints: {},
  };
}
