/** A finished piece of work in a trace. */
export interface FinishedSpan {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer';
  /** W3C trace id, 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits, if the id was passed on before the work ended; otherwise a new one is generated. */
  readonly spanId?: string;
  /** The span that caused this one; null if unknown, then only the trace id connects them. */
  readonly parentSpanId: string | null;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Identifiers and outcomes, never a URL or a secret. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly failed: boolean;
}

/** Exports spans to a collector. Does not exist when tracing is off. */
export interface Tracing {
  /** An id to pass on before the work of the span has ended. */
  newSpanId(): string;
  /** Never waits and never fails: spans that cannot be exported are dropped. */
  record(span: FinishedSpan): void;
  /** Exports the spans in memory. */
  close(): Promise<void>;
}
