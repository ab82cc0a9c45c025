import type { OutboxRecord } from '../ports/outbox.js';
import { createInMemoryBacklog } from './in-memory-backlog.js';
import { createInMemoryDeadLetters } from './in-memory-dead-letters.js';
import { createInMemoryFanOut } from './in-memory-fan-out.js';
import { createInMemoryRows } from './in-memory-rows.js';
import { createInMemorySettlements } from './in-memory-settlements.js';

/**
 * The stores of the delivery path in memory, for simulations and unit tests. Each call is atomic, like a transaction. They pass
 * the same contract suites as the stores on MongoDB.
 */
export function createInMemoryStores(offer: (records: readonly OutboxRecord[]) => void = () => {}) {
  const rows = createInMemoryRows();
  return {
    ...rows,
    settlements: createInMemorySettlements(rows, offer),
    deadLetters: createInMemoryDeadLetters(rows, offer),
    backlog: createInMemoryBacklog(rows),
    fanOut: createInMemoryFanOut(rows),
  };
}

export type InMemoryStores = ReturnType<typeof createInMemoryStores>;
