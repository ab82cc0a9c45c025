import { declaredOperations } from '../src/document/declared-operations.js';
import type { Method, OpenApiDocument, Operation, ResponseObject } from '../src/document/openapi.js';
import { readDocument } from '../src/document/read-document.js';
import { createRouteTable } from '../src/http/route-table.js';
import { schemaCheck } from '../src/http/schema-check.js';

const document: OpenApiDocument = readDocument();
const findRoute = createRouteTable(declaredOperations(document));

/** An operation of the client: its path relative to the workspace and the values of the path parameters. */
interface NamedOperation {
  readonly verb: Method;
  readonly template: string;
  readonly ids: Readonly<Record<string, string>>;
}

/** @returns null for an operation that is not in the document */
export function namedOperation(method: string, path: string): NamedOperation | null {
  const found = findRoute(method, path);
  if (found.kind !== 'route' || method === 'HEAD') return null;
  const { template, method: verb } = found.route;
  return { verb, template: template.replace('/workspaces/{slug}', ''), ids: found.parameters };
}

/** @returns the differences between a response and the document */
export function violations(
  request: { method: string; path: string },
  response: { status: number; body: unknown },
): string[] {
  const found = findRoute(request.method, request.path);
  if (found.kind !== 'route') return [];
  const { operationId, declaration } = found.route;
  const declared = responseOf(declaration, response.status);
  if (declared === undefined) return [`${operationId} does not declare status ${response.status}`];
  const [media] = Object.values(declared.content ?? {});
  if (media === undefined)
    return response.body === null ? [] : [`${operationId} declares no body for ${response.status}`];
  if (request.method === 'HEAD') return [];
  return schemaCheck(
    document,
    media.schema,
  )(response.body).map(({ path, message }) => `${operationId} ${response.status}: ${path} ${message}`);
}

function responseOf({ responses }: Operation, status: number): ResponseObject | undefined {
  const response = responses[String(status)];
  if (response === undefined || !('$ref' in response)) return response;
  return document.components.responses[response.$ref.replace('#/components/responses/', '')];
}
