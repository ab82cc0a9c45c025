import { setTimeout as sleep } from 'node:timers/promises';
import type { DomainEvent } from '@postrider/shared/events/domain-event';
import { createKafkaClient } from '@postrider/shared/kafka/connect';
import { createOutboxPublisher } from '@postrider/shared/kafka/outbox-publisher';
import { connectPublisher } from '@postrider/shared/kafka/publisher';
import { createSchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { createTopicNames } from '@postrider/shared/kafka/topic-names';
import { eventRecord } from '@postrider/shared/outbox/record';
import { boundHeapGrowth } from '@postrider/shared/runtime/heap-growth';
import { createLog } from '@postrider/shared/runtime/log';
import { newTraceId } from '@postrider/shared/runtime/trace';
import type { Namespace } from '../environment/namespace.js';
import { machineNow } from '../measure/clock.js';
import { serveParent } from '../processes/remote.js';
import { makeEvent } from './make-event.js';
import type { LoggedEvent, Plan, Published } from './plan.js';
import { publishAtRate, publishFlatOut } from './publish.js';
import { seedBacklog } from './seed-backlog.js';

/** Where events are published. */
export interface GeneratorSetup {
  readonly env: Namespace['env'];
  readonly seed: number;
  readonly workspaces: readonly { readonly id: string; readonly slug: string }[];
  /** Deliveries of each event. */
  readonly perWorkspace: number;
  /** Size of the body of each POST. */
  readonly bodyBytes: number;
}

/** The broker refuses batches of more than a megabyte. */
const REQUEST_BYTES = 512 * 1_024;

export type Generator = ReturnType<typeof createGenerator>;

/** Publishes events as the producer of another team does. */
function createGenerator() {
  const events: LoggedEvent[] = [];
  let arrived = 0;
  let isStopped = false;
  let workspaces: GeneratorSetup['workspaces'] = [];
  let run: ((plan: Plan) => Promise<number | null>) | undefined;

  return {
    /** Must be called first. */
    async connect(setup: GeneratorSetup): Promise<void> {
      workspaces = setup.workspaces;
      const { KAFKA_BROKERS, SCHEMA_REGISTRY_URL, TOPIC_PREFIX, MONGODB_URI } = setup.env;
      const log = createLog({ service: 'bench', level: 'error', pretty: true });
      const kafka = createKafkaClient({ brokers: KAFKA_BROKERS.split(','), service: 'bench', log });
      const publisher = await connectPublisher(kafka, createTopicNames(TOPIC_PREFIX));
      const send = createOutboxPublisher(
        publisher.publish,
        createSchemaCodec(SCHEMA_REGISTRY_URL, TOPIC_PREFIX),
      );
      const make = (index: number): DomainEvent => {
        const workspace = workspaces[index];
        if (workspace === undefined) throw new Error(`there is no workspace ${index}`);
        const occurredAt = new Date();
        const event = makeEvent({ ...setup, number: events.length, workspace, occurredAt });
        events.push({ occurredAt: occurredAt.getTime(), createdAt: machineNow(), workspace: index });
        return event;
      };
      const deps = {
        async publish(indexes: readonly number[]) {
          const size = Math.max(1, Math.floor(REQUEST_BYTES / setup.bodyBytes));
          for (let from = 0; from < indexes.length; from += size) {
            const some = indexes.slice(from, from + size);
            await send(some.map((index) => eventRecord(make(index), newTraceId())));
          }
        },
        perEvent: setup.perWorkspace,
        inFlight: () => events.length * setup.perWorkspace - arrived,
        isStopped: () => isStopped,
        monotonicMs: machineNow,
        sleep: (ms: number) => sleep(ms),
      };
      run = async (plan) => {
        if (plan.kind === 'at-rate') return publishAtRate(plan, deps);
        const targeted = { workspaces: [...workspaces.keys()], ...plan };
        if (targeted.kind === 'flat-out') await publishFlatOut(targeted, deps);
        else await seedBacklog(targeted, { make, publish: publisher.publish, mongodbUri: MONGODB_URI, log });
        return null;
      };
    },
    async run(plan: Plan): Promise<Published> {
      const first = events.length;
      isStopped = false;
      if (run === undefined) throw new Error('the generator is not connected');
      const lagP99Ms = await run(plan);
      return { first, events: events.length - first, lagP99Ms };
    },
    /** Ends a plan at a rate. */
    stop(): void {
      isStopped = true;
    },
    /** Sets the number of deliveries that have arrived so far. */
    arrived(deliveries: number): void {
      arrived = deliveries;
    },
    /** Events published so far, by the index of the workspace. */
    eventsPerWorkspace(): number[] {
      const counts = workspaces.map(() => 0);
      for (const { workspace } of events) counts[workspace] = (counts[workspace] ?? 0) + 1;
      return counts;
    },
    events: () => events,
  };
}

// Its full collections take both cores for some 40 ms, and delay events sent in that time.
boundHeapGrowth();
serveParent(createGenerator());
