/** A finished piece of work in a trace. */
export interface FinishedSpan {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer';
  /** W3C trace id, 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. One that was handed on before the work ended; left out, it gets a fresh one. */
  readonly spanId?: string;
  /** The span that caused this one; null where it is not known: the trace id still holds them together. */
  readonly parentSpanId: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Identifiers and outcomes, never a URL or a secret. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly failed: boolean;
}

/** Tells spans to whoever collects them. Where tracing is off there is none, and nothing is spent on it. */
export interface Tracing {
  /** An id to hand on while the work of the span still goes on. */
  newSpanId(): string;
  /** Never waits and never fails: what cannot be told is dropped. */
  record(span: FinishedSpan): void;
  /** Tells what is still in memory. */
  close(): Promise<void>;
}
