import { isPermission, type Permission } from '@postrider/shared/domain/permission';
import { METHODS, type Method, type OpenApiDocument, type Operation, type RateBucket } from './openapi.js';

/** One operation of the published document, with the facts that the service needs to serve it. */
export interface DeclaredOperation {
  readonly operationId: string;
  /** Like `/workspaces/{slug}/webhooks`. */
  readonly template: string;
  readonly method: Method;
  /** Null when a secret in the body authorises the request instead of a bearer token. */
  readonly permission: Permission | null;
  readonly bucket: RateBucket;
  readonly declaration: Operation;
}

/** @throws Error when an operation lacks its permission: the service must not start with an unprotected route */
export function declaredOperations(document: OpenApiDocument): DeclaredOperation[] {
  return Object.entries(document.paths).flatMap(([template, item]) =>
    METHODS.flatMap((method) => {
      const declaration = item[method];
      if (declaration === undefined) return [];
      const { operationId, 'x-rate-bucket': bucket } = declaration;
      return [{ operationId, template, method, permission: permissionOf(declaration), bucket, declaration }];
    }),
  );
}

/** The operations that need no bearer token. Any other operation without a permission is a mistake. */
const AUTHORISED_BY_BODY: ReadonlySet<string> = new Set(['accept_invitation']);

function permissionOf({ operationId, security }: Operation): Permission | null {
  if (security.length === 0 && AUTHORISED_BY_BODY.has(operationId)) return null;
  const [permission] = security[0]?.bearer ?? [];
  if (permission !== undefined && isPermission(permission)) return permission;
  throw new Error(`operation ${operationId} declares no permission`);
}
