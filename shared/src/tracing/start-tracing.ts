import type { Tracing } from '../ports/tracing.js';

export interface TracingConfig {
  /** Empty: no tracing. */
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string;
  readonly OTEL_EXPORTER_OTLP_HEADERS: Readonly<Record<string, string>>;
  /** The fraction of traces that is exported, 0 to 1; the same traces in every process. */
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

/** Starts tracing if it is configured. Returns null otherwise, without loading the library. */
export async function startTracing(config: TracingConfig, service: string): Promise<Tracing | null> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === '') return null;
  const { createOtlpTracing: otlpTracing } = await import('./otlp-tracing.js');
  return otlpTracing({
    endpoint: config.OTEL_EXPORTER_OTLP_ENDPOINT,
    headers: config.OTEL_EXPORTER_OTLP_HEADERS,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    service,
  });
}
