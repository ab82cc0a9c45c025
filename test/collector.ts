import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A span as received. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
}

export interface Collector {
  readonly url: string;
  readonly spans: CollectedSpan[];
  close(): Promise<void>;
}

interface TraceExport {
  readonly resourceSpans: readonly {
    readonly resource: {
      readonly attributes: readonly { readonly key: string; readonly value: { stringValue?: string } }[];
    };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<CollectedSpan, 'service'>[] }[];
  }[];
}

/** A small OTLP/HTTP collector that records every span. @param tls PEM; without it, the collector has no TLS */
export async function collector(tls?: { readonly cert: string; readonly key: string }): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const receive: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.url === '/v1/traces') spans.push(...spansIn(JSON.parse(Buffer.concat(chunks).toString())));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  };
  const server = tls === undefined ? createServer(receive) : createTlsServer(tls, receive);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function spansIn({ resourceSpans }: TraceExport): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const named = resource.attributes.find(({ key }) => key === 'service.name');
    const service = named?.value.stringValue ?? '';
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => ({ ...span, service })));
  });
}
