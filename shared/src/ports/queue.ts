import type { DeliveryClass, DeliverySummary } from '../domain/delivery.js';
import type { DeliveryId, EndpointId, WorkspaceId } from '../domain/id.js';

/** A message about one delivery: identifiers only, the row has the payload. */
export interface QueueMessage {
  readonly deliveryId: DeliveryId;
  readonly endpointId: EndpointId;
  readonly workspaceId: WorkspaceId;
  /** The attempt that the message requests, from 1. */
  readonly ordinal: number;
  readonly traceId: string;
  /** The class of the delivery; absent for one that goes before replay jobs. */
  readonly class?: DeliveryClass;
  /** When the attempt is due, in messages of delay tiers; absent in messages of versions that waited from the append. */
  readonly dueAt?: Date;
  /** The span that caused the delivery, if tracing is on; it is sent as a header. */
  readonly parentSpanId?: string;
}

/** The message of a delivery's first attempt. */
export function firstMessage(
  delivery: Pick<DeliverySummary, 'id' | 'endpointId' | 'workspaceId' | 'traceId' | 'class'>,
): QueueMessage {
  const { id, endpointId, workspaceId, traceId } = delivery;
  const message = { deliveryId: id, endpointId, workspaceId, ordinal: 1, traceId };
  return delivery.class === undefined ? message : { ...message, class: delivery.class };
}

/** The message of a delivery's next attempt or of its dead letter, from the message of the attempt before. */
export function nextMessage(
  { dueAt: _, ...message }: QueueMessage,
  { ordinal, dueAt }: { readonly ordinal: number; readonly dueAt: Date | null },
): QueueMessage {
  return { ...message, ordinal, ...(dueAt !== null && { dueAt }) };
}

export const QUEUE_MESSAGE_VERSION = 1;

/** The JSON value of a queue message. The parent span is sent as a header. */
export function queueMessageValue({ parentSpanId: _, ...message }: QueueMessage) {
  return { version: QUEUE_MESSAGE_VERSION, ...message };
}

/** The value of a header: a name can have several values. */
export type HeaderValue = string | Buffer | readonly (string | Buffer)[];

/** A message to publish: topic without prefix, routed by its key. */
export interface OutgoingMessage {
  readonly topic: string;
  readonly key: string | Buffer | null;
  readonly value: Buffer | string | null;
  readonly headers: Readonly<Record<string, HeaderValue>>;
}

/**
 * Appends messages and resolves once the broker has acknowledged all of them. Rejects with `RecordRefused` if a record
 * itself is at fault, with `NotAppended` if some are appended, and with another error if none is known to be.
 */
export type Publish = (messages: readonly OutgoingMessage[]) => Promise<void>;

/** Some messages of a batch are not known to be appended, for example because their partition has no leader. All others are. */
export class NotAppended extends Error {
  override readonly name = 'NotAppended';

  /** @param indices the places of those messages in the batch, from 0 */
  constructor(
    readonly indices: ReadonlySet<number>,
    options: ErrorOptions,
  ) {
    super(`${indices.size} messages could not be appended`, options);
  }
}

/** Divides the items of a batch that was not published as a whole, one message each, by whether they are appended. */
export function divideByAppended<Item>(
  items: readonly Item[],
  error: unknown,
): { readonly appended: readonly Item[]; readonly left: readonly Item[] } {
  if (!(error instanceof NotAppended)) return { appended: [], left: items };
  const isLeft = (_: Item, index: number) => error.indices.has(index);
  return {
    appended: items.filter((item, index) => !isLeft(item, index)),
    left: items.filter(isLeft),
  };
}

/** The broker rejects a record as such (too large, invalid): sending it again cannot help. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused';
}

/** A delivery's message and its topic without prefix. */
export interface Queued {
  readonly topic: string;
  readonly message: QueueMessage;
}

/** Appends delivery messages, each routed by its endpoint; resolves and rejects as `Publish` does. */
export type Enqueue = (queued: readonly Queued[]) => Promise<void>;
