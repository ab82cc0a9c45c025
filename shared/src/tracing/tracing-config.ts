import { withRule } from '../runtime/config.js';
import { fraction, optionalHttpUrl, otlpHeaders, pemFile } from '../runtime/variables.js';

/** Tracing, with the standard variables of OpenTelemetry. */
export const TRACING = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalHttpUrl({
    default: '',
    desc: 'URL of the OTLP/HTTP collector for spans; empty: no tracing',
    example: 'http://otel-collector:4318',
  }),
  OTEL_EXPORTER_OTLP_HEADERS: otlpHeaders({
    default: {},
    desc: 'Headers for the collector, name=value, comma-separated, values URL-encoded; often a secret',
  }),
  OTEL_EXPORTER_OTLP_CERTIFICATE: withRule(
    pemFile('CERTIFICATE')({
      default: undefined,
      desc: 'PEM file with the certificate authorities of the collector; default: those that Node trusts',
    }),
    (env) =>
      env.OTEL_EXPORTER_OTLP_CERTIFICATE !== undefined &&
      /^(http:|$)/i.test(String(env.OTEL_EXPORTER_OTLP_ENDPOINT))
        ? 'is set, but OTEL_EXPORTER_OTLP_ENDPOINT is not an https:// URL'
        : null,
  ),
  OTEL_TRACES_SAMPLER_ARG: fraction({ default: 1, desc: 'Fraction of traces that is exported, 0 to 1' }),
};
