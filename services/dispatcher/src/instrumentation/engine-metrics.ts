import type { Metrics, Reading } from '@postrider/shared/metrics/metrics';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import type { Engine } from '../engine/engine.js';
import type { EngineFigures } from '../engine/engine-figures.js';
import type { IntakeFigures } from '../engine/intake/intake.js';
import type { EventIntakeFigures } from '../fan-out/event-intake.js';

/** Registers the gauges of engine and fan-out, which are read at each scrape. */
export function registerEngineMetrics(
  metrics: Metrics,
  { figures }: Pick<Engine, 'figures'>,
  events: { readonly figures: () => EventIntakeFigures },
): void {
  const GAUGES = {
    postrider_in_flight: 'inFlight',
    postrider_prompt_posts: 'prompt',
    postrider_probation_posts: 'probation',
    postrider_lingering_posts: 'lingering',
    postrider_post_bytes: 'rowBytes',
    postrider_blocked_endpoints: 'blocked',
    postrider_jobs: 'jobs',
    postrider_jobs_free: 'jobsFree',
    postrider_jobs_waiting: 'waiting',
    postrider_unsettled: 'unsettled',
    postrider_parked_endpoints: 'parked',
    postrider_assigned_partitions: 'assigned',
  } as const satisfies Record<string, keyof EngineFigures>;
  for (const [name, figure] of Object.entries(GAUGES))
    metrics.gauge(name as keyof typeof GAUGES, () => figures()[figure]);
  metrics.gauge('postrider_fan_out_oldest_seconds', () => events.figures().oldestMs / 1_000);
  const byTopic = (value: (of: IntakeFigures) => number): readonly Reading<'topic'>[] =>
    [...figures().topics, { topic: EVENTS_TOPIC, ...events.figures() }].map((of) => ({
      labels: { topic: of.topic },
      value: value(of),
    }));
  metrics.gauge('postrider_open_offsets', () => byTopic(({ open }) => open));
  metrics.gauge('postrider_paused_partitions', () => byTopic(({ pausedPartitions }) => pausedPartitions));
}
