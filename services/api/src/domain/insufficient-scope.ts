import type { Scope } from '@postrider/shared/domain/permission';
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
