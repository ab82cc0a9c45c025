import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@postrider/shared/events/domain-event';
import { createKafkaClient } from '@postrider/shared/kafka/connect';
import { createEnqueue } from '@postrider/shared/kafka/enqueue';
import { createOutboxPublisher } from '@postrider/shared/kafka/outbox-publisher';
import { connectPublisher } from '@postrider/shared/kafka/publisher';
import { createSchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { createTopicNames } from '@postrider/shared/kafka/topic-names';
import { eventRecord } from '@postrider/shared/outbox/record';
import { createLog } from '@postrider/shared/runtime/log';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { machineNow } from '../measure/clock.js';
import type { Addresses } from '../world/world.js';
import { type LoggedEvent, saveEventLog } from './event-log.js';
import { makeEvent } from './make-event.js';
import type { Plan, Published } from './plan.js';
import { publishAtRate } from './publish-at-rate.js';
import { publishFlatOut } from './publish-flat-out.js';
import { seedBacklog } from './seed-backlog.js';

/** Where events go, and what they are about. */
export interface GeneratorSetup {
  readonly env: Addresses;
  readonly seed: number;
  readonly bodyBytes: number;
  readonly workspaces: readonly { readonly id: string; readonly slug: string }[];
}

/** Publishes events as a platform team's producer does. */
export interface Generator {
  run(plan: Plan): Promise<Published>;
  /** Ends a plan that goes by a rate. */
  enough(): void;
  /** So many deliveries have arrived since the generator was started. */
  arrived(deliveries: number): void;
  /** Events so far for each workspace, by its index. */
  tally(): number[];
  /** Writes what has to be known of its events to a file. */
  save(file: string): void;
}

export async function generator(setup: GeneratorSetup): Promise<Generator> {
  const log = createLog({ service: 'bench', level: 'error', pretty: true });
  const { KAFKA_BROKERS, SCHEMA_REGISTRY_URL, TOPIC_PREFIX, MONGODB_URI } = setup.env;
  const kafka = createKafkaClient({ brokers: KAFKA_BROKERS.split(','), service: 'bench', log });
  const publisher = await connectPublisher(kafka, createTopicNames(TOPIC_PREFIX));
  const send = createOutboxPublisher(publisher.publish, createSchemaCodec(SCHEMA_REGISTRY_URL, TOPIC_PREFIX));
  const events: LoggedEvent[] = [];
  let arrived = 0;
  let isEnough = false;

  const make = (index: number): DomainEvent => {
    const workspace = setup.workspaces[index];
    if (workspace === undefined) throw new Error(`there is no workspace ${index}`);
    const occurredAt = new Date();
    const event = makeEvent({ ...setup, number: events.length, workspace, occurredAt });
    events.push({ occurredAt: occurredAt.getTime(), madeAt: machineNow(), workspace: index });
    return event;
  };
  const publish = (workspaces: readonly number[]): Promise<void> =>
    send(workspaces.map((index) => eventRecord(make(index), newTraceId())));
  const outstanding = (perEvent: number) => events.length * perEvent - arrived;
  const parts = { publish, now: machineNow, pause: (ms: number) => pause(ms) };

  return {
    async run(plan) {
      const first = events.length;
      isEnough = false;
      switch (plan.kind) {
        case 'at-rate':
          return { first, ...(await publishAtRate(plan, { ...parts, isEnough: () => isEnough })) };
        case 'flat-out':
          return { first, events: await publishFlatOut(plan, { ...parts, outstanding }), lagP99Ms: null };
        case 'backlog':
          await seedBacklog(plan, {
            make,
            enqueue: createEnqueue(publisher.publish),
            mongodbUri: MONGODB_URI,
          });
          return { first, events: plan.events, lagP99Ms: null };
      }
    },
    enough() {
      isEnough = true;
    },
    arrived(deliveries) {
      arrived = deliveries;
    },
    tally() {
      const counts = setup.workspaces.map(() => 0);
      for (const { workspace } of events) counts[workspace] = (counts[workspace] ?? 0) + 1;
      return counts;
    },
    save: (file) => saveEventLog(file, events),
  };
}
