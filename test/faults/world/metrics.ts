import type { ServiceName } from '#dev/processes/start-service';
import { repeatUntilEnded } from './repeat-until-ended.js';
import type { Services } from './services.js';

/** A metric of a service, summed over its processes. */
export interface Metric {
  readonly service: ServiceName;
  readonly name: string;
  /** Only samples with this label, such as `result="stale"`. */
  readonly label?: string;
}

type Running = Pick<Services, 'running'>;

const SAMPLE_EVERY_MS = 100;

/** Sums the samples of a metric in the text that a process exposes. */
export function sumOfSamples(text: string, { name, label }: Pick<Metric, 'name' | 'label'>): number {
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => label === undefined || line.includes(label))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

/** Reads a metric of all processes of its service. */
export async function readMetric(services: Running, metric: Metric): Promise<number> {
  const values = services.running(metric.service).map(async (service) => {
    const response = await fetch(`http://127.0.0.1:${service.metricsPort()}/metrics`);
    return sumOfSamples(await response.text(), metric);
  });
  return (await Promise.all(values)).reduce((sum, value) => sum + value, 0);
}

/** Reads a gauge again and again. @returns a function that ends that and returns the highest value */
export function watchPeak(services: Running, metric: Metric): () => Promise<number> {
  let peak = 0;
  const end = repeatUntilEnded(SAMPLE_EVERY_MS, async () => {
    peak = Math.max(peak, await readMetric(services, metric));
  });
  return async () => {
    await end();
    return peak;
  };
}
