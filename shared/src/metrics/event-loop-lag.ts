import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

/** The interval of the measured timer, in milliseconds. A shorter one would cost an idle process more than all else. */
const SAMPLE_MS = 500;
const SAMPLE_NS = SAMPLE_MS * 1e6;
const NS_PER_SECOND = 1e9;

type Delays = ReturnType<typeof monitorEventLoopDelay>;

const STATISTICS: Readonly<Record<string, (delays: Delays) => number>> = {
  min: ({ min }) => min,
  max: ({ max }) => max,
  mean: ({ mean }) => mean,
  p50: (delays) => delays.percentile(50),
  p90: (delays) => delays.percentile(90),
  p99: (delays) => delays.percentile(99),
};

/** Replaces the lags of the default metrics: how late a timer fired that is due twice a second, since the last scrape. */
export function registerEventLoopLag(registry: Registry): void {
  const delays = monitorEventLoopDelay({ resolution: SAMPLE_MS });
  delays.enable();
  const register = (name: string, help: string, collect?: () => void) => {
    registry.removeSingleMetric(name);
    return new Gauge({ name, help, registers: [registry], ...(collect && { collect }) });
  };
  // Metrics are collected in the order of their registration, so the first one reads the values of all.
  const lag = register('nodejs_eventloop_lag_seconds', 'The greatest lag since the last scrape.', () => {
    // Without a new sample the last values stay.
    if (delays.count === 0) return;
    lag.set(Math.max(0, delays.max - SAMPLE_NS) / NS_PER_SECOND);
    for (const { gauge, read } of gauges) gauge.set(Math.max(0, read(delays) - SAMPLE_NS) / NS_PER_SECOND);
    delays.reset();
  });
  const gauges = Object.entries(STATISTICS).map(([statistic, read]) => {
    return {
      gauge: register(`nodejs_eventloop_lag_${statistic}_seconds`, `How late timers fired: ${statistic}.`),
      read,
    };
  });
  registry.removeSingleMetric('nodejs_eventloop_lag_stddev_seconds');
}
