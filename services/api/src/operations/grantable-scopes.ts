import { isScope, type Permission, type Scope, scopesBeyond } from '@postrider/shared/domain/permission';
import { Refusal } from '../domain/refusal.js';

/** Limits how much of an invalid scope is repeated in the refusal. */
const LONGEST_SCOPE_SHOWN = 50;

/**
 * The scopes that a caller with these permissions may grant.
 *
 * @throws Refusal `InvalidScope` or `ScopeExceedsAuthority`, with every scope at fault
 */
export function grantableScopes(
  requested: readonly string[],
  granted: ReadonlySet<Permission>,
): readonly Scope[] {
  const mistakes = requested.flatMap((scope, index) =>
    isScope(scope)
      ? []
      : [
          {
            path: `scopes[${index}]`,
            message: `"${scope.slice(0, LONGEST_SCOPE_SHOWN)}" is not a scope of a workspace token`,
          },
        ],
  );
  if (mistakes.length > 0) {
    throw new Refusal('InvalidScope', mistakes.map(({ message }) => message).join('; '), mistakes);
  }
  const scopes = [...new Set(requested.filter(isScope))];
  const excessive = scopesBeyond(scopes, granted);
  if (excessive.length === 0) return scopes;
  throw new Refusal('ScopeExceedsAuthority', `Your own token does not grant ${excessive.join(', ')}.`);
}
