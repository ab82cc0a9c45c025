/** The secrets of one endpoint's path in the order in which they became known. */
export interface TrustedSecrets {
  add(secret: string, at: number): void;
  /** Those that a POST may be signed with that arrived then. */
  at(moment: number): readonly string[];
}

/** A POST may have been signed this long before it arrived. */
const UNDER_WAY_MS = 10_000;
/** A secret is in use before the answer to the rotation has told of it. */
const TOLD_WITHIN_MS = 15_000;

/** Only the current secret signs, and the one before it; older ones are forgotten. */
export function trustedSecrets(): TrustedSecrets {
  const known: { readonly secret: string; readonly from: number }[] = [];
  return {
    add: (secret, from) => void known.push({ secret, from }),
    at(moment) {
      const current = known.findLastIndex(({ from }) => from <= moment - UNDER_WAY_MS);
      return known
        .slice(Math.max(0, current - 1))
        .filter(({ from }) => from <= moment + TOLD_WITHIN_MS)
        .map(({ secret }) => secret);
    },
  };
}
