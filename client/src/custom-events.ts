import type { components } from './generated/openapi.js';

/** The data of events by type, such as the type that `postrider-client generate` writes. */
export type EventData = object;

/** Any type with any data: for clients without generated types. */
export type AnyEvents = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The fields that every payload has in addition to its data. */
export interface EventEnvelope {
  readonly eventId: string;
  readonly occurredAt: string;
  readonly workspaceId: string;
}

/** The body of a delivery of a custom event, discriminated by `eventType`. */
export type CustomDelivery<Custom extends EventData> = {
  [Type in keyof Custom & string]: {
    readonly deliveryId: string;
    readonly eventType: Type;
    readonly payload: EventEnvelope & Custom[Type];
  };
}[keyof Custom & string];

/** An event to publish. */
export interface NewEvent<Custom extends EventData, Type extends keyof Custom & string> {
  readonly type: Type;
  readonly data: Custom[Type];
  /** RFC 3339; by default now. */
  readonly occurredAt?: string;
}

export type PublishedEvent = components['schemas']['PublishedEvent'];

/** Options of `publish`. */
export interface PublishOptions {
  /**
   * 1 to 255 visible ASCII characters: no spaces. Reuse it when you publish the same event again. Default: a new one
   * for each call.
   */
  readonly idempotencyKey?: string;
  readonly signal?: AbortSignal;
}
