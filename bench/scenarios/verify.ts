import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withStoredDeliveries } from '../api/measure-api.js';
import type { Namespace } from '../environment/namespace.js';
import { machineNow } from '../measure/clock.js';
import { startMeter } from '../processes/meter.js';
import { runJob } from '../processes/service.js';
import type { Row } from '../report/row.js';
import { type Context, countOf, measureRows, type Scenario } from '../scenario.js';
import { memoryFigure, rateFigure } from './figures.js';

const SIZES = [200_000, 2_000_000];

export const verify: Scenario = {
  name: 'verify',
  about: '`admin verify` of deliveries with an attempt each, without other load. It must find no difference.',
  run: (context) =>
    measureRows(
      context,
      SIZES.map((size) => {
        const deliveries = countOf(context, size);
        const label = `${deliveries.toLocaleString('en')} deliveries`;
        const measure = (namespace: Namespace) => runVerify(context, namespace, { label, deliveries });
        const seeded = { deliveries, statusOf: () => 'delivered' as const };
        return { label, measure: () => withStoredDeliveries(context, seeded, measure) };
      }),
    ),
};

async function runVerify(
  { directory, signal, serverProcesses, options, progress }: Context,
  { env }: Namespace,
  { label, deliveries }: { readonly label: string; readonly deliveries: number },
): Promise<Row> {
  progress(label);
  const logFile = join(directory, 'verify.log');
  const from = machineNow();
  const meter = startMeter(serverProcesses);
  await runJob('verify', { env, logFile, signal }, (pid) =>
    meter.watch({ name: 'verify', pid, fresh: true }),
  );
  const to = machineNow();
  const processes = meter.stop();
  const isComplete = (await readFile(logFile, 'utf8')).includes(`${deliveries} deliveries and`);
  if (!options.keepLogs) await rm(logFile);
  return {
    label,
    figures: [
      { name: 'took', unit: 's', value: (to - from) / 1_000 },
      rateFigure('deliveries', deliveries, { from, to }),
      memoryFigure(processes, undefined, 'verify'),
    ],
    cost: { deliveries, processes },
    mismatches: isComplete ? [] : [`verify did not report that it read ${deliveries} deliveries`],
  };
}
