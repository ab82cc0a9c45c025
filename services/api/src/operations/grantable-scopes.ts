import { isScope, type Permission, type Scope, scopesBeyond } from '@postrider/shared/domain/permission';
import { type Mistake, Refusal } from '../domain/refusal.js';

/** Limits how much of an invalid scope is repeated in the refusal. */
const LONGEST_SCOPE_SHOWN = 50;

/** The scopes that do not exist, each with its path; they are `InvalidScope`. Ignores what is not a name. */
export function unknownScopes(requested: readonly unknown[]): readonly Mistake[] {
  return requested.flatMap((scope, index) => {
    if (typeof scope !== 'string' || isScope(scope)) return [];
    const message = `"${scope.slice(0, LONGEST_SCOPE_SHOWN)}" is not a scope of a workspace token`;
    return [{ path: `scopes[${index}]`, message, own: { tag: 'InvalidScope', detail: message } }];
  });
}

/**
 * The scopes that a caller with these permissions may grant.
 *
 * @throws Refusal `InvalidScope` or `ScopeExceedsAuthority`, with every scope at fault
 */
export function grantableScopes(
  requested: readonly string[],
  granted: ReadonlySet<Permission>,
): readonly Scope[] {
  const mistakes = unknownScopes(requested);
  if (mistakes.length > 0) throw Refusal.invalid(...mistakes);
  const scopes = [...new Set(requested.filter(isScope))];
  const excessive = scopesBeyond(scopes, granted);
  if (excessive.length === 0) return scopes;
  throw new Refusal('ScopeExceedsAuthority', `Your own token does not grant ${excessive.join(', ')}.`);
}
