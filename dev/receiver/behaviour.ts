import { Ajv } from 'ajv';

/** How the receiver answers a verified webhook. */
export interface Behaviour {
  /** Final HTTP status, 200 to 599. */
  readonly status: number;
  /** Time before the answer. */
  readonly delayMs: number;
  /** How many more webhooks are answered like this, before 200 without delay; null: until it is changed. */
  readonly times: number | null;
}

export const WELL_BEHAVED: Behaviour = { status: 200, delayMs: 0, times: null };

const validate = new Ajv({ allErrors: true, useDefaults: true, allowUnionTypes: true }).compile<Behaviour>({
  type: 'object',
  properties: {
    // 1xx is never a final status.
    status: { type: 'integer', minimum: 200, maximum: 599, default: 200 },
    delayMs: { type: 'integer', minimum: 0, maximum: 60_000, default: 0 },
    times: { type: ['integer', 'null'], minimum: 1, maximum: 1_000_000, default: null },
  },
  additionalProperties: false,
});

/** Invalid fields with messages; the field of a body that is no object is empty. */
export type FieldErrors = Readonly<Record<string, string>>;

/** Reads a behaviour from a request's JSON. Omitted fields have defaults; every invalid field is reported. */
export function parseBehaviour(body: unknown): { value: Behaviour } | { errors: FieldErrors } {
  if (validate(body)) return { value: body };
  const errors = (validate.errors ?? []).map(({ instancePath, params, message = '' }) => [
    params.additionalProperty ?? instancePath.slice(1),
    message,
  ]);
  return { errors: Object.fromEntries(errors) };
}

/** The behaviour after it has been used once. */
export function afterUse(behaviour: Behaviour): Behaviour {
  if (behaviour.times === null) return behaviour;
  return behaviour.times > 1 ? { ...behaviour, times: behaviour.times - 1 } : WELL_BEHAVED;
}
