import { isPermission, type Permission } from '@postrider/shared/domain/permission';
import { METHODS, type Method, type OpenApiDocument, type Operation, type RateBucket } from './openapi.js';

/** One operation of the published document, with the facts that the service needs to serve it. */
export interface DeclaredOperation {
  readonly operationId: string;
  /** Like `/workspaces/{slug}/webhooks`. */
  readonly template: string;
  readonly method: Method;
  readonly authorization: Authorization;
  readonly bucket: RateBucket;
  readonly declaration: Operation;
}

/** What a request must have: a token with a permission, any valid token, or a secret in the body instead of a token. */
export type Authorization =
  | { readonly kind: 'permission'; readonly permission: Permission }
  | { readonly kind: 'token' }
  | { readonly kind: 'body' };

/** @throws Error when an operation lacks its permission: the service must not start with an unprotected route */
export function declaredOperations(document: OpenApiDocument): DeclaredOperation[] {
  return Object.entries(document.paths).flatMap(([template, item]) =>
    METHODS.flatMap((method) => {
      const declaration = item[method];
      if (declaration === undefined) return [];
      const { operationId, 'x-rate-bucket': bucket } = declaration;
      const authorization = authorizationOf(declaration);
      return [{ operationId, template, method, authorization, bucket, declaration }];
    }),
  );
}

/** The operations that need no bearer token, and those that any token may call. Any other needs a permission. */
const AUTHORIZED_BY_BODY: ReadonlySet<string> = new Set(['accept_invitation']);
const OPEN_TO_ANY_TOKEN: ReadonlySet<string> = new Set(['get_session']);

function authorizationOf({ operationId, security }: Operation): Authorization {
  if (security.length === 0 && AUTHORIZED_BY_BODY.has(operationId)) return { kind: 'body' };
  const [permission] = security[0]?.bearer ?? [];
  if (permission !== undefined && isPermission(permission)) return { kind: 'permission', permission };
  if (security.length > 0 && OPEN_TO_ANY_TOKEN.has(operationId)) return { kind: 'token' };
  throw new Error(`operation ${operationId} declares no permission`);
}
