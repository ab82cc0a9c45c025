import { Ajv, type ValidateFunction } from 'ajv';

/** How the receiver answers a verified webhook. */
export interface Behaviour {
  /** Final HTTP status, 200 to 599. */
  readonly status: number;
  /** Time before the answer. */
  readonly delayMs: number;
  /** Number of further webhooks to answer like this, before 200 without delay; null: until it is changed. */
  readonly times: number | null;
}

export const WELL_BEHAVED: Behaviour = { status: 200, delayMs: 0, times: null };

const ajv = new Ajv({ allErrors: true, useDefaults: true, allowUnionTypes: true });

/** Accepts a behaviour, and sets omitted fields to their defaults. */
export const isBehaviour = ajv.compile<Behaviour>({
  type: 'object',
  properties: {
    // 1xx is never a final status.
    status: { type: 'integer', minimum: 200, maximum: 599, default: 200 },
    delayMs: { type: 'integer', minimum: 0, maximum: 60_000, default: 0 },
    times: { type: ['integer', 'null'], minimum: 1, maximum: 1_000_000, default: null },
  },
  additionalProperties: false,
});

/** `whsec_` and Base64. */
const SECRET = '^(whsec_)?(?=.)([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

export const isSecrets = ajv.compile<{ readonly secrets: readonly string[] }>({
  type: 'object',
  properties: { secrets: { type: 'array', items: { type: 'string', pattern: SECRET } } },
  required: ['secrets'],
  additionalProperties: false,
});

/** The messages of a failed validation by field; the field of a value that is not an object is empty. */
export function errorsOf({ errors }: ValidateFunction): Readonly<Record<string, string>> {
  const entries = (errors ?? []).map(({ instancePath, params, message = '' }) => [
    params.additionalProperty ?? instancePath.slice(1),
    message,
  ]);
  return Object.fromEntries(entries);
}

/** The behaviour after it has been used once. */
export function afterUse(behaviour: Behaviour): Behaviour {
  if (behaviour.times === null) return behaviour;
  return behaviour.times > 1 ? { ...behaviour, times: behaviour.times - 1 } : WELL_BEHAVED;
}
