import type { OpenApiDocument, Operation, ResponseObject } from '../src/document/openapi.js';
import { readDocument } from '../src/document/read-document.js';
import { routeTable } from '../src/http/route-table.js';
import { schemaCheck } from '../src/http/schema-check.js';

const document: OpenApiDocument = readDocument();
const findRoute = routeTable(document);

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
