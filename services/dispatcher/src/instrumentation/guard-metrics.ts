import type { Metrics } from '@postrider/shared/metrics/metrics';

interface Guards {
  readonly outage: {
    isHolding(): boolean;
    withheld(): number;
    trips(): number;
    discarded(): number;
  };
  readonly clocks: { isHolding(): boolean };
}

/** Registers the gauges that show why sending is held. */
export function registerGuardMetrics(metrics: Metrics, { outage, clocks }: Guards): void {
  metrics.gauge('postrider_sending_held', () => [
    { labels: { cause: 'outage' }, value: Number(outage.isHolding()) },
    { labels: { cause: 'clock' }, value: Number(clocks.isHolding()) },
  ]);
  metrics.gauge('postrider_outage_guard_withheld', outage.withheld);
  metrics.gauge('postrider_outage_guard_holds', outage.trips);
  metrics.gauge('postrider_outage_guard_discarded', outage.discarded);
}
