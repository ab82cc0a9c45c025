import type {
  AttemptStatus,
  DeliveryStatus,
  ErrorDetail,
  FailureReason,
} from '@postrider/shared/domain/delivery';
import type { Page, PageRequest } from './page.js';
import type { WithSendingHolds } from './sending-hold.js';
import type { Timestamp } from './timestamp.js';

/** The last attempt that contacted the receiver. */
export interface LastAttempt {
  /** @isInt */
  ordinal: number;
  /**
   * The HTTP status of the response; null without a response.
   * @isInt
   */
  httpStatus: number | null;
  failureReason: FailureReason | null;
  /** Why no TLS connection was established with the server that was reached; null otherwise. */
  errorDetail: ErrorDetail | null;
  /** Up to 2 KiB of the response body; null when it could not be read. */
  responseBody: string | null;
  attemptedAt: Timestamp;
  /** Milliseconds, including those of a failed connection; null when none was tried. */
  durationMs: number | null;
}

/** The last attempt that got an HTTP response. */
export interface LastResponse {
  /** @isInt */
  ordinal: number;
  /** @isInt */
  httpStatus: number;
  /** Up to 2 KiB of the response body; null when it could not be read. */
  responseBody: string | null;
  attemptedAt: Timestamp;
}

/** The duration of each phase of an attempt in milliseconds; null for a phase that was not reached. */
export interface AttemptTimings {
  /** The name lookup and the connection, with TLS if that was established; 0 on a reused connection. */
  connectMs: number | null;
  /** From the request to the response headers. */
  headersMs: number | null;
  bodyMs: number | null;
}

/**
 * The delivery of one event to one endpoint.
 * @example {
 *   "deliveryId": "whd_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "endpointId": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "eventType": "billing.plan_changed",
 *   "payload": {
 *     "eventId": "evt_01krzmb7g0a5w9n2x4c8v1j6th",
 *     "occurredAt": "2026-03-01T09:30:00.000Z",
 *     "workspaceId": "ws_01krzmb7g0a5w9n2x4c8v1j6th",
 *     "previousPlan": "free",
 *     "plan": "team"
 *   },
 *   "status": "delivered",
 *   "failureReason": null,
 *   "attempts": 1,
 *   "nextAttemptAt": null,
 *   "lastAttempt": {
 *     "ordinal": 1,
 *     "httpStatus": 204,
 *     "failureReason": null,
 *     "errorDetail": null,
 *     "responseBody": "",
 *     "attemptedAt": "2026-03-01T09:30:00.040Z",
 *     "durationMs": 21
 *   },
 *   "lastResponse": {
 *     "ordinal": 1,
 *     "httpStatus": 204,
 *     "responseBody": "",
 *     "attemptedAt": "2026-03-01T09:30:00.040Z"
 *   },
 *   "eventId": "evt_01krzmb7g0a5w9n2x4c8v1j6th",
 *   "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
 *   "replayedBy": null,
 *   "createdAt": "2026-03-01T09:30:00.000Z"
 * }
 */
export interface Delivery {
  /** The same as the `webhook-id` header of every attempt. */
  deliveryId: string;
  endpointId: string;
  /** The type of the event: built-in, custom, or `webhook.test_event`. */
  eventType: string;
  /** The payload as it is sent. */
  payload: Record<string, unknown>;
  status: DeliveryStatus;
  /** The reason for the status; null when there is none. */
  failureReason: FailureReason | null;
  /**
   * Attempts made so far.
   * @isInt
   */
  attempts: number;
  nextAttemptAt: Timestamp | null;
  /** The delivery that this one replays; omitted when it is not a replay. */
  replayedFrom?: string;
  lastAttempt: LastAttempt | null;
  /** Differs from `lastAttempt` when later attempts got no response, for example timed out. */
  lastResponse: LastResponse | null;
  /** The event of the payload; null when it has none. */
  eventId: string | null;
  /** The `x-trace-id` of the request that caused the event, and of every attempt. */
  traceId: string;
  /** The newest delivery that replays this one; null when there is none. */
  replayedBy: string | null;
  createdAt: Timestamp;
}

/**
 * A delivery as it is read alone.
 * @example {
 *   "deliveryId": "whd_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "endpointId": "whe_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "eventType": "billing.plan_changed",
 *   "payload": {
 *     "eventId": "evt_01krzmb7g0a5w9n2x4c8v1j6th",
 *     "occurredAt": "2026-03-01T09:30:00.000Z",
 *     "workspaceId": "ws_01krzmb7g0a5w9n2x4c8v1j6th",
 *     "previousPlan": "free",
 *     "plan": "team"
 *   },
 *   "status": "delivered",
 *   "failureReason": null,
 *   "attempts": 1,
 *   "nextAttemptAt": null,
 *   "lastAttempt": {
 *     "ordinal": 1,
 *     "httpStatus": 204,
 *     "failureReason": null,
 *     "errorDetail": null,
 *     "responseBody": "",
 *     "attemptedAt": "2026-03-01T09:30:00.040Z",
 *     "durationMs": 21
 *   },
 *   "lastResponse": {
 *     "ordinal": 1,
 *     "httpStatus": 204,
 *     "responseBody": "",
 *     "attemptedAt": "2026-03-01T09:30:00.040Z"
 *   },
 *   "eventId": "evt_01krzmb7g0a5w9n2x4c8v1j6th",
 *   "traceId": "4bf92f3577b34da6a3ce929d0e0e4736",
 *   "replayedBy": null,
 *   "createdAt": "2026-03-01T09:30:00.000Z"
 * }
 */
export interface DeliveryDetails extends Delivery, WithSendingHolds {}

/** One page of a list of deliveries. */
export interface DeliveryPage extends Page<Delivery>, WithSendingHolds {}

/**
 * The record of one attempt, which never changes. A record that ends a delivery without another attempt has no duration
 * and no HTTP status.
 * @example {
 *   "deliveryId": "whd_01krzmb7g0q5w9n2x4c8v1j6th",
 *   "ordinal": 1,
 *   "status": "failed",
 *   "httpStatus": 503,
 *   "failureReason": "http_status",
 *   "errorDetail": null,
 *   "attemptedAt": "2026-03-01T09:30:00.040Z",
 *   "durationMs": 21,
 *   "requestHeaders": { "webhook-id": "whd_01krzmb7g0q5w9n2x4c8v1j6th", "webhook-timestamp": "1772357400" },
 *   "responseBody": "try again later",
 *   "timings": { "connectMs": 12, "headersMs": 8, "bodyMs": 1 },
 *   "remoteAddress": "203.0.113.7"
 * }
 */
export interface DeliveryAttempt {
  deliveryId: string;
  /**
   * Starts at 1.
   * @isInt
   */
  ordinal: number;
  status: AttemptStatus;
  /** @isInt */
  httpStatus: number | null;
  failureReason: FailureReason | null;
  /**
   * Why no TLS connection was established with the server at `remoteAddress`: its certificate is `self_signed`, `expired`,
   * `not_yet_valid`, for another host (`hostname_mismatch`), of an `unknown_issuer` (often a missing intermediate certificate) or
   * otherwise an `invalid_certificate`; the port is `not_tls`, such as plain HTTP; or the `handshake` was refused, cut off or not finished.
   * Null otherwise.
   */
  errorDetail: ErrorDetail | null;
  attemptedAt: Timestamp;
  /** Milliseconds, including those of a failed connection; null when none was tried. */
  durationMs: number | null;
  /**
   * The headers that were sent, with `•••` for the values of the endpoint's own ones; null when nothing was sent, for example because
   * no connection was established. Attempts of earlier versions lack `host`, `connection` and `content-length`.
   */
  requestHeaders: Record<string, string> | null;
  /** Up to 2 KiB of the response body; null when it could not be read. */
  responseBody: string | null;
  /** Null for a record that ends a delivery without another attempt, and for attempts of earlier versions. */
  timings: AttemptTimings | null;
  /** The address that was connected to, whether or not TLS followed; null without a connection. */
  remoteAddress: string | null;
}

/** Selects the deliveries to list; all conditions must hold. */
export interface DeliveryFilter extends PageRequest {
  /** One status or several, separated by commas. */
  status?: string | undefined;
  eventType?: string | undefined;
  eventId?: string | undefined;
  traceId?: string | undefined;
  /** The reason for the status: one or several, separated by commas. */
  failureReason?: string | undefined;
  /** The reason of the last attempt: one or several, separated by commas. */
  lastFailureReason?: string | undefined;
  /** The HTTP status of the last attempt. */
  httpStatus?: number | undefined;
  /** Only deliveries created after this time. */
  createdAfter?: Date | undefined;
  /** Only deliveries created before this time. */
  createdBefore?: Date | undefined;
}
