import { startBatchConsumer } from '@postrider/shared/kafka/batch-consumer';
import { quarantine } from '@postrider/shared/kafka/quarantine';
import { decodeQueueMessage } from '@postrider/shared/kafka/queue-message';
import { burialStore } from '@postrider/shared/mongo/burial-store';
import { connectPlatform } from '@postrider/shared/platform/platform';
import { DEAD_LETTER_TOPIC } from '@postrider/shared/ports/topics';
import { healthServer } from '@postrider/shared/runtime/health-server';
import type { Fail, Service } from '@postrider/shared/runtime/lifecycle';
import type { Logger } from '@postrider/shared/runtime/log';
import { bury } from './bury.js';
import type { Config } from './config.js';

/** The composition root of the dead-letter consumer. */
export async function startDlqConsumer(config: Config, log: Logger, fail: Fail): Promise<Service> {
  const platform = await connectPlatform(config, 'dlq-consumer', log);
  const { database, relay, clock, publish, dieBefore } = platform;
  const store = burialStore({ database, relay, clock, outboxClaimMs: config.OUTBOX_CLAIM });
  const buryOne = bury({ store: { bury: dieBefore('delivery.bury', store.bury) }, clock, log });
  const putAside = quarantine(publish, log);
  const consumer = await startBatchConsumer({
    ...platform,
    groupId: 'dlq-consumer',
    topic: DEAD_LETTER_TOPIC,
    async handle(records, heartbeat) {
      for (const record of records) {
        const message = decodeQueueMessage(record.value);
        if ('problem' in message) await putAside(record, message.problem);
        else await buryOne(message);
        await heartbeat();
      }
    },
    log,
    fail,
  });
  const health = await healthServer({
    host: config.HOST,
    port: config.HEALTH_PORT,
    alive: consumer.alive,
    missing: () => (consumer.hasJoined() ? [] : ['the consumer has not joined its group']),
  });
  void consumer.joined.then(() =>
    log.info({ event: 'ready', healthPort: health.port }, 'burying dead letters'),
  );
  return {
    async stop() {
      await consumer.stop();
      await Promise.all([platform.close(), health.close()]);
    },
  };
}
