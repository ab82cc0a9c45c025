import type { Metrics } from '@postrider/shared/metrics/metrics';
import type { FanOutStore } from '@postrider/shared/ports/fan-out';
import { divideByAppended, type Enqueue, type Queued } from '@postrider/shared/ports/queue';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import { DEAD_LETTER_TOPIC, tierOfTopic } from '@postrider/shared/ports/topics';
import type { FanOutObserver } from '../fan-out/fan-out.js';

/** Decorators that count and time calls of the engine's and the fan-out's ports. */
export interface PortInstrumentation {
  read(read: SettlementStore['read']): SettlementStore['read'];
  enqueue(enqueue: Enqueue): Enqueue;
  insert(insert: FanOutStore['insert']): FanOutStore['insert'];
  /** Counts and times events that are fanned out. */
  readonly closed: FanOutObserver['closed'];
}

/** @param monotonicMs monotonic, in milliseconds */
export function instrumentPorts(metrics: Metrics, monotonicMs: () => number): PortInstrumentation {
  const readSize = metrics.histogram('postrider_read_batch_size');
  const readTime = metrics.histogram('postrider_read_duration_seconds');
  const retries = metrics.counter('postrider_retries_total');
  const deadLetters = metrics.counter('postrider_dead_letters_total');
  const events = metrics.counter('postrider_fan_out_events_total');
  const rows = metrics.counter('postrider_fan_out_deliveries_total');
  const fanOutTime = metrics.histogram('postrider_fan_out_duration_seconds');
  const countAppended = (appended: readonly Queued[]) => {
    for (const { topic } of appended) {
      if (topic === DEAD_LETTER_TOPIC) deadLetters.inc();
      const tier = tierOfTopic(topic);
      if (tier !== null) retries.inc({ tier: String(tier) });
    }
  };
  return {
    read: (read) => async (ids) => {
      const started = monotonicMs();
      const result = await read(ids);
      readSize.observe(ids.deliveryIds.length);
      readTime.observe((monotonicMs() - started) / 1_000);
      return result;
    },
    enqueue: (enqueue) => async (queued) => {
      try {
        await enqueue(queued);
      } catch (error) {
        countAppended(divideByAppended(queued, error).appended);
        throw error;
      }
      countAppended(queued);
    },
    insert: (insert) => async (requested, held) => {
      const inserted = await insert(requested, held);
      rows.inc(requested.length + held.length);
      return inserted;
    },
    closed({ readAt }) {
      events.inc();
      fanOutTime.observe((monotonicMs() - readAt) / 1_000);
    },
  };
}
