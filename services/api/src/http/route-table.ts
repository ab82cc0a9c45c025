import { isPermission, type Permission } from '@postrider/shared/domain/permission';
import {
  METHODS,
  type Method,
  type OpenApiDocument,
  type Operation,
  type RateBucket,
} from '../document/openapi.js';
import type { Operations } from '../operations/operations.js';
import { type BodyCheck, bodyCheck, type QueryCheck, queryCheck } from './input-check.js';

/** One operation as HTTP reaches it; every fact is read back from the published document. */
export interface Route {
  readonly operationId: string;
  /** Like `/workspaces/{slug}/webhooks`. */
  readonly template: string;
  readonly method: Method;
  /** Null when a secret in the body opens the operation, and no bearer. */
  readonly permission: Permission | null;
  readonly bucket: RateBucket;
  readonly checkQuery: QueryCheck;
  /** Null when the operation takes no body. */
  readonly checkBody: BodyCheck | null;
}

/** What a method and a path lead to. */
export type Found =
  | { readonly kind: 'route'; readonly route: Route; readonly slug: string }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'nothing' };

interface Place {
  readonly segments: readonly string[];
  readonly routes: readonly Route[];
}

/** @throws Error when an operation of the document lacks a fact: better no service than an open door */
export function routeTable(document: OpenApiDocument): (method: string, path: string) => Found {
  const places: Place[] = Object.entries(document.paths)
    .map(([template, item]) => ({
      segments: template.split('/'),
      routes: METHODS.flatMap((method) => {
        const operation = item[method];
        return operation === undefined ? [] : [routeOf(document, template, method, operation)];
      }),
    }))
    .sort(literalsFirst);

  return (method, path) => {
    if (!isDecodable(path)) return { kind: 'nothing' };
    const segments = path.split('/');
    const place = places.find((candidate) => matches(candidate.segments, segments));
    if (place === undefined) return { kind: 'nothing' };
    const wanted = method === 'HEAD' ? 'get' : method.toLowerCase();
    const route = place.routes.find((candidate) => candidate.method === wanted);
    if (route === undefined) return { kind: 'wrong-method', allowed: allowedAt(place) };
    const slug = segments[place.segments.indexOf('{slug}')] ?? '';
    return { kind: 'route', route, slug };
  };
}

export type FindRoute = ReturnType<typeof routeTable>;

function routeOf(document: OpenApiDocument, template: string, method: Method, operation: Operation): Route {
  return {
    operationId: operation.operationId,
    template,
    method,
    permission: isOpened(operation) ? null : permissionOf(operation),
    bucket: operation['x-rate-bucket'],
    checkQuery: queryCheck(document, operation),
    checkBody: bodyCheck(document, operation),
  };
}

/** The operations that need no bearer. A document that declares no permission for any other one opens nothing. */
const OPENED_BY_THEIR_BODY: ReadonlySet<string> = new Set<keyof Operations>(['accept_invitation']);

function isOpened({ operationId, security }: Operation): boolean {
  return security.length === 0 && OPENED_BY_THEIR_BODY.has(operationId);
}

/** @throws Error when the operation declares none */
export function permissionOf({ operationId, security }: Operation): Permission {
  const [permission] = security[0]?.bearer ?? [];
  if (permission !== undefined && isPermission(permission)) return permission;
  throw new Error(`operation ${operationId} declares no permission`);
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => (isParameter(part) ? segments[index] !== '' : part === segments[index]))
  );
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}

/** Where a word and a parameter both match, the word wins. */
function literalsFirst(one: Place, other: Place): number {
  const rank = ({ segments }: Place) => segments.map((part) => (isParameter(part) ? '1' : '0')).join('');
  return rank(one).localeCompare(rank(other));
}

function allowedAt({ routes }: Place): string[] {
  return routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
}
