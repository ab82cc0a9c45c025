import type { SettledBatch, Stored } from '@postrider/shared/domain/settle-all';
import { createEnqueue } from '@postrider/shared/kafka/enqueue';
import { createBacklog } from '@postrider/shared/mongo/backlog';
import { createFanOutStore } from '@postrider/shared/mongo/fan-out-store';
import { createSettlementStore } from '@postrider/shared/mongo/settlement-store';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Tracing } from '@postrider/shared/ports/tracing';
import type { Config } from './config.js';
import { countInserted } from './count-stats.js';
import { disableReconciler } from './disable-reconciler.js';
import type { Keyring } from './engine/sending/keyring.js';
import { createSendAttempt } from './engine/sending/send-attempt.js';
import type { FanOutObserver } from './fan-out/fan-out.js';
import type { DispatcherInstrumentation } from './instrumentation/instrument-dispatcher.js';
import { traceDeliveries, UNTRACED } from './instrumentation/trace-deliveries.js';
import type { Poster } from './ports/poster.js';
import { reportInserted } from './report-outcomes.js';

interface PortParts {
  readonly config: Config;
  readonly platform: Platform;
  readonly poster: Poster;
  readonly keys: Keyring;
  readonly metered: DispatcherInstrumentation;
  readonly tracing: Tracing | null;
  readonly userAgent: string;
  readonly monotonicMs: () => number;
}

/** The decorated ports of the engine and of the fan-out. The order is always metrics, then traces, then failpoints. */
export function createPorts(parts: PortParts) {
  const { config, platform, poster, keys, metered, tracing, userAgent, monotonicMs } = parts;
  const { database, relay, clock, publish, crashBefore, featureLevel } = platform;
  const traced = tracing === null ? UNTRACED : traceDeliveries({ tracing, clock, monotonicMs });
  const settlements = createSettlementStore({
    database,
    relay,
    clock,
    featureLevel,
    outboxClaimMs: config.OUTBOX_CLAIM,
  });
  const deliveries = createFanOutStore(database.collections);
  const enqueue = createEnqueue(publish);
  const sendAttempt = createSendAttempt({ poster, keys, clock, monotonicMs, userAgent });
  const betweenReadAndWrite = crashBefore('attempt.write', () => {});
  const beforeWriting =
    (decide: (stored: Stored) => SettledBatch) =>
    (stored: Stored): SettledBatch => {
      betweenReadAndWrite();
      return decide(stored);
    };
  return {
    engine: {
      store: {
        ...settlements,
        read: metered.read(settlements.read),
        settle: metered.settle(
          crashBefore('attempt.settle', (observations, decide) =>
            settlements.settle(observations, beforeWriting(decide)),
          ),
        ),
        record: metered.record(crashBefore('attempt.record', settlements.record)),
      },
      backlog: disableReconciler(config.FAILPOINTS, createBacklog(database.collections)),
      sendAttempt: metered.sendAttempt(traced.sendAttempt(sendAttempt)),
      enqueue: metered.enqueue(crashBefore('delivery.enqueue', enqueue)),
    },
    fanOut: {
      store: {
        ...deliveries,
        saveProgress: crashBefore('fanout.progress', deliveries.saveProgress),
        insert: metered.insert(countInserted(reportInserted(deliveries.insert, platform), platform)),
      },
      enqueue: crashBefore('fanout.enqueue', enqueue),
      observer: {
        opened: traced.observer.opened,
        closed(event) {
          metered.closed(event);
          traced.observer.closed(event);
        },
      } satisfies FanOutObserver,
    },
  };
}
