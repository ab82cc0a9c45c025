import type { DeliveryStatus, FailureReason } from '@postrider/shared/domain/delivery';
import type { StreamSource } from '../domain/stream-query.js';
import type { Timestamp } from './timestamp.js';

/** The conditions of a stream. */
export interface StreamDeliveries {
  readonly source?: StreamSource;
  readonly endpointId?: string;
  readonly eventType?: string;
  readonly payload?: boolean;
}

/** The data of `delivery.created`, `delivery.attempted` and `delivery.ended`: the delivery after the change. */
export interface StreamedDelivery {
  deliveryId: string;
  endpointId: string;
  eventId: string;
  eventType: string;
  status: DeliveryStatus;
  /**
   * HTTP attempts so far.
   * @isInt
   */
  attempts: number;
  /**
   * Of the last HTTP attempt; null without a response.
   * @isInt
   */
  httpStatus: number | null;
  failureReason: FailureReason | null;
  /**
   * Of the last HTTP attempt, in milliseconds.
   * @isInt
   */
  durationMs: number | null;
  at: Timestamp;
  /** Only of `delivery.created`, with `payload=true`; null when the delivery has expired. */
  payload?: Record<string, unknown> | null;
}

/** The data of `event.published`. */
export interface StreamedEvent {
  eventId: string;
  eventType: string;
  occurredAt: Timestamp;
  payload: Record<string, unknown>;
}

/** The data of `end`, the last event of a stream that the server ends. */
export interface StreamEnded {
  /** `slow_reader`: the client took too little. `token_ended`: the token expired or was revoked. `shutdown`: connect again. */
  reason: 'slow_reader' | 'token_ended' | 'shutdown';
}
