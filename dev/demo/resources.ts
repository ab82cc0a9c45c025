/** The parts of the api's answers that the demo reads. */
export interface Page<T> {
  readonly items: readonly T[];
}

export interface Endpoint {
  readonly id: string;
  readonly description: string | null;
}

export interface Overview {
  readonly plan: string;
}

export interface Delivery {
  readonly deliveryId: string;
  readonly eventType: string;
  readonly payload: {
    readonly eventId: string;
    readonly occurredAt: string;
    readonly [field: string]: unknown;
  };
  readonly status: string;
  readonly attempts: number;
}

export interface Attempt {
  readonly ordinal: number;
  readonly status: string;
  readonly httpStatus: number | null;
  readonly failureReason: string | null;
  readonly attemptedAt: string;
  readonly durationMs: number | null;
}
