import type { Method, OpenApiDocument, Operation, ResponseObject } from '../src/document/openapi.js';
import { readDocument } from '../src/document/read-document.js';
import { routeTable } from '../src/http/route-table.js';
import { schemaCheck } from '../src/http/schema-check.js';

const document: OpenApiDocument = readDocument();
const findRoute = routeTable(document);

/** An operation as the client names it: its path below the workspace, and what stands for the path's parameters. */
interface NamedOperation {
  readonly verb: Method;
  readonly template: string;
  readonly ids: Readonly<Record<string, string>>;
}

/** @returns null when the document has no such operation */
export function namedOperation(method: string, path: string): NamedOperation | null {
  const found = findRoute(method, path);
  if (found.kind !== 'route' || method === 'HEAD') return null;
  const { template, method: verb } = found.route;
  const segments = path.split('/');
  const ids = template.split('/').flatMap((part, index) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    return name === undefined || name === 'slug' ? [] : [[name, decodeURIComponent(segments[index] ?? '')]];
  });
  return { verb, template: template.replace('/workspaces/{slug}', ''), ids: Object.fromEntries(ids) };
}

/** What an answer has that the document does not tell of; empty when they agree. */
export function breaches(
  asked: { method: string; path: string },
  answer: { status: number; body: unknown },
): string[] {
  const found = findRoute(asked.method, asked.path);
  if (found.kind !== 'route') return [];
  const { template, method, operationId } = found.route;
  const response = responseOf(document.paths[template]?.[method], answer.status);
  if (response === undefined) return [`${operationId} does not declare status ${answer.status}`];
  const [media] = Object.values(response.content ?? {});
  if (media === undefined)
    return answer.body === null ? [] : [`${operationId} declares no body for ${answer.status}`];
  if (asked.method === 'HEAD') return [];
  return schemaCheck(
    document,
    media.schema,
  )(answer.body).map(({ path, message }) => `${operationId} ${answer.status}: ${path} ${message}`);
}

function responseOf(operation: Operation | undefined, status: number): ResponseObject | undefined {
  const response = operation?.responses[String(status)];
  if (response === undefined || !('$ref' in response)) return response;
  return document.components.responses[response.$ref.replace('#/components/responses/', '')];
}
