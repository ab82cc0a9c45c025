import type { Permission, Scope } from '@postrider/shared/domain/permission';
import { type Credential, permissionsOfRole } from './credential.js';
import { Refusal } from './refusal.js';

/** Refuses a member's request that an access token with further scopes could make. */
export class InsufficientScope extends Refusal {
  /** @param needed the scopes to ask the authorization server for */
  constructor(readonly needed: readonly Scope[]) {
    super(
      'InsufficientScope',
      `The access token lacks a scope. Ask the authorization server for a token with: ${needed.join(' ')}.`,
    );
  }
}

/** The refusal of a caller that lacks a permission. A member whose role permits it can get an access token that grants it. */
export function lackOfPermission(
  permission: Permission,
  credential: Credential | null,
  detail: string,
): Refusal {
  const role = credential?.role ?? null;
  if (credential === null || role === null || !permissionsOfRole(role).has(permission))
    return new Refusal('Forbidden', detail);
  return new InsufficientScope([...credential.scopes, permission]);
}
