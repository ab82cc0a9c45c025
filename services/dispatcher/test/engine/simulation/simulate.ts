import { deadLetterAll } from '@postrider/shared/domain/dead-letter';
import { type Delivery, isTerminal } from '@postrider/shared/domain/delivery';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import { DEAD_LETTER_TOPIC, DELIVERIES_TOPIC, retryTopic } from '@postrider/shared/ports/topics';
import { aDelivery, aMessage, anEndpoint, idFor, NOON } from '@postrider/shared/testing/builders';
import { subscriberOf } from '@postrider/shared/testing/endpoint-parts';
import { createInMemoryStores } from '@postrider/shared/testing/in-memory-stores';
import type { EngineLimits } from '../../../src/engine/engine-parts.js';
import { poolLimits } from '../../../src/engine/scheduler/pool-limits.js';
import type { HandedOver } from '../../../src/ports/hand-over.js';
import { aLog, settleDown } from '../builders.js';
import { virtualTime } from '../virtual-time.js';
import { PARTITIONS, simulatedBroker } from './broker.js';
import { brokenThings } from './faults.js';
import { type SimulatedProcess, startProcess } from './process.js';
import { simulatedReceiver } from './receiver.js';
import { type Action, ENDPOINTS, type Offer, PROCESSES, type Script } from './script.js';

export const LIMITS: EngineLimits = {
  ...poolLimits({ perEndpoint: 2, prompt: 6, lingering: 8, bytes: 2 ** 24 }),
  openDeliveries: 40,
  openRetries: 240,
  openRetriesEach: 20,
  batchSize: 3,
  maxUnsettled: 8,
  maxUnpublished: 6,
  maxHeldBack: 1_000,
  settleBatch: 4,
  settleLanes: 2,
  jobs: 24,
};
const STEP_MS = 1_000;
const SLICE_MS = 250;
/** Time limit for all deliveries to end: the longest case is a row that every fault affects. */
const PATIENCE_MS = 30 * 60_000;

export interface Rules {
  readonly limits?: Partial<EngineLimits>;
  /** Whether rows with a lost message are recovered. */
  readonly healing?: boolean;
  /** The rate of each endpoint. */
  readonly ratePerSecond?: number;
  /** How far the time moves at once, in milliseconds. */
  readonly sliceMs?: number;
}

/** Runs a script to its end in virtual time, with two processes, a broker, a database, receivers and faults. */
export async function simulate({ actions, answers }: Script, rules: Rules = {}) {
  const { limits = {}, healing = true, ratePerSecond = null, sliceMs = SLICE_MS } = rules;
  const time = virtualTime();
  try {
    const world = newWorld({
      tick: time.tick,
      answers,
      limits: { ...LIMITS, ...limits },
      healing,
      ratePerSecond,
      sliceMs,
    });
    for (const action of actions) {
      await world.pass(action.after);
      world.perform(action);
    }
    world.broken.repairAll();
    for (let passed = 0; !world.isOver() && passed < PATIENCE_MS; passed += sliceMs)
      await world.pass(sliceMs);
    const held = world.processes.map((process) => process.size());
    for (const process of world.processes) process.kill();
    return { ...world, held };
  } finally {
    time.restore();
  }
}

interface WorldParts {
  readonly tick: (ms: number) => void;
  readonly answers: Script['answers'];
  readonly limits: EngineLimits;
  readonly healing: boolean;
  readonly ratePerSecond: number | null;
  readonly sliceMs: number;
}

function newWorld({ tick, answers, limits, healing, ratePerSecond, sliceMs }: WorldParts) {
  let milliseconds = NOON.getTime();
  const now = () => new Date(milliseconds);
  const endpointIds: readonly string[] = Array.from({ length: ENDPOINTS }, (_, index) =>
    idFor('endpoint', `${index}`),
  );
  const partitionOf = (endpointId: string) => endpointIds.indexOf(endpointId) % PARTITIONS;
  const broker = simulatedBroker(partitionOf, () => milliseconds);
  const store = createInMemoryStores();
  for (const id of endpointIds)
    store.endpoints.set(id, anEndpoint({ id, ...(ratePerSecond !== null && { ratePerSecond }) }));
  const broken = brokenThings();
  const receiver = simulatedReceiver(answers);
  const log = aLog();
  const start = () =>
    startProcess({
      store,
      broker,
      broken,
      receiver,
      partitionOf,
      now,
      limits,
      retryStepMs: STEP_MS,
      healing,
      log,
    });
  const processes: SimulatedProcess[] = Array.from({ length: PROCESSES }, start);
  const owners = Array.from({ length: PARTITIONS }, (_, partition) => partition % PROCESSES);
  const rebalance = () => {
    processes.forEach((process, index) => {
      process.assign(owners.flatMap((owner, partition) => (owner === index ? [partition] : [])));
    });
  };
  rebalance();

  /** Messages that are published later, unless they are not needed any more. */
  let gathered = 0;
  /** Rows that were started by the process that had stored them. */
  const handedOver = new Set<string>();
  const publish = (message: QueueMessage) => broker.append({ topic: DELIVERIES_TOPIC, message });
  const publishLater = (message: QueueMessage, taken: HandedOver, gatherMs: number) => {
    gathered += 1;
    setTimeout(() => {
      gathered -= 1;
      if (!taken.hasEnded) publish(message);
    }, gatherMs);
  };
  const handOver = (message: QueueMessage, delivery: Delivery, { process, endpointAge }: Offer) => {
    const endpoint = subscriberOf(store.endpoints.get(message.endpointId)!);
    const endpointReadAt = milliseconds - endpointAge;
    const stored = { message, delivery, endpoint, endpointReadAt, bytes: 1_024 };
    const taken = processes[process]!.handOver([stored]).get(delivery.id) ?? null;
    if (taken !== null) handedOver.add(delivery.id);
    return taken;
  };
  const deliver = ({ endpoint, count, lost, offer }: Action & { do: 'deliver' }) => {
    for (let added = 0; added < count; added += 1) {
      const id = idFor('delivery', `${store.deliveries.size}`);
      const ids = { deliveryId: id, endpointId: endpointIds[endpoint]! };
      const row = aDelivery({ id, endpointId: ids.endpointId, createdAt: now(), dueAt: now() });
      store.deliveries.set(id, row);
      const message = aMessage(ids);
      const taken = offer && handOver(message, row, offer);
      if (lost) continue;
      if (offer !== null && taken !== null) publishLater(message, taken, offer.gatherMs);
      else publish(message);
    }
  };
  const sent = (which: number) => {
    const entries = broker.logs.flatMap((one) => one.entries);
    return entries[which % Math.max(entries.length, 1)]?.message;
  };
  const perform = (action: Action) => {
    switch (action.do) {
      case 'deliver':
        deliver(action);
        return;
      case 'copy': {
        const message = sent(action.which);
        const topic = action.tier === 0 ? DELIVERIES_TOPIC : retryTopic(action.tier);
        if (message) broker.append({ topic, message });
        return;
      }
      case 'stray': {
        const message = sent(action.which);
        if (message)
          broker.append({ topic: DELIVERIES_TOPIC, message: { ...message, ordinal: action.ordinal } });
        return;
      }
      case 'move':
        for (const process of processes) process.commit();
        owners[action.partition] = action.to;
        rebalance();
        return;
      case 'kill':
        processes[action.process]?.kill();
        processes[action.process] = start();
        rebalance();
        return;
      case 'toggle': {
        const endpoint = store.endpoints.get(endpointIds[action.endpoint]!)!;
        const toggled = endpoint.enabled
          ? ({ enabled: false, disabledReason: 'operator' } as const)
          : ({ enabled: true, disabledReason: null } as const);
        store.endpoints.set(endpoint.id, { ...endpoint, ...toggled });
        return;
      }
      case 'recreate':
        broker.recreate();
        rebalance();
        return;
      case 'break':
        broken.break(action);
    }
  };
  const consumeDeadLetters = async () => {
    for (const one of broker.logs.filter(({ topic }) => topic === DEAD_LETTER_TOPIC)) {
      const { end, committed, entries } = one;
      const letters = entries.filter(({ offset }) => offset >= committed).map(({ message }) => message);
      one.committed = end;
      await store.deadLetters.settle(letters, (stored) => deadLetterAll(stored, letters, now()));
    }
  };
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= sliceMs) {
      const slice = Math.min(left, sliceMs);
      milliseconds += slice;
      tick(slice);
      for (const process of processes) process.fetch();
      await settleDown(1 + (slice % 7));
      for (const process of processes) process.commit();
      await consumeDeadLetters();
    }
  };
  /** Every row terminal, every offset committed, nothing in memory. */
  const isOver = () =>
    [...store.deliveries.values()].every(isTerminal) &&
    gathered === 0 &&
    broker.logs.every(({ committed, entries }) => committed > (entries.at(-1)?.offset ?? -1)) &&
    processes.every((process) => process.size() === 0);

  return { store, broker, broken, receiver, handedOver, log, processes, perform, pass, isOver };
}

export type Simulated = Awaited<ReturnType<typeof simulate>>;
