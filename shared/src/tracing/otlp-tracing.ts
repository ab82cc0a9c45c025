import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { FinishedSpan, Tracing } from '../ports/tracing.js';
import { newSpanId } from '../runtime/trace.js';
import { VERSION } from '../runtime/version.js';
import { withTimeout } from '../runtime/with-timeout.js';

interface OtlpOptions {
  /** The collector's URL, without the path of traces. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** PEM of the collector's certificate authorities; null: the system's. */
  readonly ca: string | null;
  readonly ratio: number;
  readonly service: string;
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER } as const;
/** Maximum number of queued spans; further ones are dropped. */
const MAX_QUEUE = 8_192;
const EXPORT_INTERVAL_MS = 1_000;
/** How long a stop waits for a collector, in milliseconds. */
const CLOSE_MS = 2_000;

/** Exports spans over OTLP/HTTP. Trace ids and parents are explicit: they come from rows and messages, not the call stack. */
export function createOtlpTracing({ endpoint, headers, ca, ratio, service }: OtlpOptions): Tracing {
  let ids = { traceId: '', spanId: '' };
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    ...(ca !== null && { httpAgentOptions: { keepAlive: true, ca } }),
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': `postrider-${service}`, 'service.version': VERSION }),
    sampler: new TraceIdRatioBasedSampler(ratio),
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
    spanProcessors: [
      new BatchSpanProcessor({ exporter, maxQueueSize: MAX_QUEUE, scheduledDelayMillis: EXPORT_INTERVAL_MS }),
    ],
  });
  const tracer = provider.getTracer('postrider', VERSION);
  return {
    newSpanId,
    record(finished) {
      const { name, kind, startedAt, endedAt, attributes, failed } = finished;
      ids = { traceId: finished.traceId, spanId: finished.spanId ?? newSpanId() };
      const options = { kind: KINDS[kind], startTime: startedAt, attributes: { ...attributes } };
      const span = tracer.startSpan(name, options, contextOf(finished));
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endedAt);
    },
    close: () =>
      withTimeout(
        provider.shutdown().catch(() => {}),
        CLOSE_MS,
        async () => {},
      ),
  };
}

function contextOf({ traceId, parentSpanId }: FinishedSpan): Context {
  if (parentSpanId === null) return ROOT_CONTEXT;
  const parent = { traceId, spanId: parentSpanId, traceFlags: TraceFlags.SAMPLED, isRemote: true };
  return trace.setSpanContext(ROOT_CONTEXT, parent);
}
