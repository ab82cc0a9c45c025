import { Webhook } from 'standardwebhooks';

export interface Signed {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const TOLERANCE_S = 300;

/** Returns whether one of the secrets signed the POST, and its timestamp is within the tolerance of a moment. */
export function isSigned({ headers, body }: Signed, secrets: readonly string[], at: number): boolean {
  const timestamp = Number(headers['webhook-timestamp']);
  if (!(Math.abs(at / 1_000 - timestamp) <= TOLERANCE_S)) return false;
  const signatures = String(headers['webhook-signature']).split(' ');
  const id = String(headers['webhook-id']);
  return secrets.some((secret) =>
    signatures.includes(new Webhook(secret).sign(id, new Date(timestamp * 1_000), body)),
  );
}

/** The secrets of an endpoint, in the order in which they became known. */
export interface Secrets {
  add(secret: string, at: number): void;
  /** The secrets that may have signed a POST that arrives then. */
  validAt(moment: number): readonly string[];
}

/** The longest time between signing a POST and its arrival. */
const IN_FLIGHT_MS = 10_000;
/** The longest time between the first use of a new secret and the answer that contains it. */
const KNOWN_WITHIN_MS = 15_000;

/** The current secret and the previous one sign; earlier ones do not. */
export function createSecrets(): Secrets {
  const known: { readonly secret: string; readonly from: number }[] = [];
  return {
    add: (secret, from) => void known.push({ secret, from }),
    validAt(moment) {
      const current = known.findLastIndex(({ from }) => from <= moment - IN_FLIGHT_MS);
      return known
        .slice(Math.max(0, current - 1))
        .filter(({ from }) => from <= moment + KNOWN_WITHIN_MS)
        .map(({ secret }) => secret);
    },
  };
}
