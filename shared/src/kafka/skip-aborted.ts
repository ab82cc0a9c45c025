import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';
import { type AbortedTransaction, type FetchedRecord, findAborted } from './aborted-records.js';

const BROKER: ClientInternals = {
  module: 'kafkajs/src/broker/index.js',
  methods: { fetch: ['lookupRequest'] },
};

interface FetchedPartition {
  readonly messages: readonly (FetchedRecord & { isControlRecord: boolean })[];
  /** Null without an isolation level. */
  abortedTransactions?: readonly AbortedTransaction[] | null;
}

interface Broker {
  fetch(request: object): Promise<{
    readonly responses: readonly { readonly partitions: readonly FetchedPartition[] }[];
  }>;
}

/**
 * Leaves out the records of aborted transactions. The client itself takes at most one transaction for each record, in the
 * order of the broker's list, so that it passes on records of the others; and it takes every record with a certain key for an
 * abort marker. Its function cannot be replaced, because it is loaded with the client. Therefore the records are marked like
 * control records, which the client leaves out as well and whose offsets it counts, and the list is empty for its function.
 *
 * @throws UnknownInternals if the class is not as expected
 */
export function patchFetch(broker: unknown): void {
  const prototype = prototypeOf<Broker>(BROKER, broker);
  const { fetch } = prototype;
  prototype.fetch = async function fetchCommitted(this: Broker, request) {
    const response = await fetch.call(this, request);
    for (const { partitions } of response.responses) partitions.forEach(skipAborted);
    return response;
  };
}

function skipAborted(partition: FetchedPartition): void {
  const { messages, abortedTransactions } = partition;
  if (abortedTransactions == null || abortedTransactions.length === 0) return;
  for (const record of findAborted(messages, abortedTransactions)) record.isControlRecord = true;
  partition.abortedTransactions = [];
}

patchFetch(loadInternals(BROKER));
