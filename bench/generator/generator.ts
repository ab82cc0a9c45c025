import { setTimeout as pause } from 'node:timers/promises';
import type { DomainEvent } from '@postrider/shared/events/domain-event';
import { kafkaClient } from '@postrider/shared/kafka/connect';
import { outboxPublisher } from '@postrider/shared/kafka/outbox-publisher';
import { connectPublisher } from '@postrider/shared/kafka/publisher';
import { schemaCodec } from '@postrider/shared/kafka/schema-registry';
import { topicNames } from '@postrider/shared/kafka/topic-names';
import { eventRecord } from '@postrider/shared/outbox/record';
import { createLog } from '@postrider/shared/runtime/log';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { machineNow } from '../measure/clock.js';
import { type LoggedEvent, saveEventLog } from './event-log.js';
import { makeEvent } from './make-event.js';
import type { Plan, Published } from './plan.js';
import { publishAtRate } from './publish-at-rate.js';
import { publishFlatOut } from './publish-flat-out.js';

/** Where events go, and what they are about. */
export interface GeneratorSetup {
  readonly brokers: readonly string[];
  readonly registryUrl: string;
  readonly topicPrefix: string;
  readonly seed: number;
  readonly bodyBytes: number;
  readonly workspaces: readonly { readonly id: string; readonly slug: string }[];
}

/** Publishes events as a platform team's producer does. */
export interface Generator {
  run(plan: Plan): Promise<Published>;
  /** So many deliveries have arrived since the generator was started. */
  arrived(deliveries: number): void;
  /** Events so far for each workspace, by its index. */
  tally(): number[];
  /** Writes what has to be known of its events to a file. */
  save(file: string): void;
}

export async function generator(setup: GeneratorSetup): Promise<Generator> {
  const log = createLog({ service: 'bench', level: 'warn', pretty: true });
  const kafka = kafkaClient({ brokers: setup.brokers, service: 'bench', log });
  const publisher = await connectPublisher(kafka, topicNames(setup.topicPrefix));
  const send = outboxPublisher(publisher.publish, schemaCodec(setup.registryUrl, setup.topicPrefix));
  const events: LoggedEvent[] = [];
  let arrived = 0;

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
  const parts = { publish, now: machineNow, pause: (ms: number) => pause(ms) };

  return {
    async run(plan) {
      const first = events.length;
      if (plan.kind === 'at-rate') return { first, ...(await publishAtRate(plan, parts)) };
      const outstanding = (perEvent: number) => events.length * perEvent - arrived;
      return { first, events: await publishFlatOut(plan, { ...parts, outstanding }), lagP99Ms: null };
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
