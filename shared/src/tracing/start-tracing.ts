import type { Tracing } from '../ports/tracing.js';
import type { CleanedEnv } from '../runtime/config.js';
import type { TRACING } from './tracing-config.js';

type TracingConfig = Pick<CleanedEnv<typeof TRACING>, keyof typeof TRACING>;

/** Starts tracing if it is configured. Returns null otherwise, without loading the library. */
export async function startTracing(config: TracingConfig, service: string): Promise<Tracing | null> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return null;
  const { createOtlpTracing: otlpTracing } = await import('./otlp-tracing.js');
  return otlpTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    ca: config.OTEL_EXPORTER_OTLP_CERTIFICATE ?? null,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    service,
  });
}
