interface SignedRequest {
  /** The identifier of the delivery. */
  readonly id: string;
  /** When it was signed, in seconds since 1970. */
  readonly timestamp: number;
  /** Signatures, separated by spaces. */
  readonly signature: string;
  readonly traceId: string;
  readonly userAgent: string;
}

/** The headers of every webhook request: those of Standard Webhooks, and Postrider's. */
export function webhookHeaders({ id, timestamp, signature, traceId, userAgent }: SignedRequest) {
  return {
    'content-type': 'application/json',
    'user-agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
    'x-trace-id': traceId,
  };
}
