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

/** One invalid field of a request body. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

export type Parsed<T> = { readonly value: T } | { readonly errors: readonly FieldError[] };

interface Rule {
  readonly fallback: number | null;
  readonly least: number;
  readonly most: number;
}

/** 1xx is never a final status. */
const RULES: Readonly<Record<keyof Behaviour, Rule>> = {
  status: { fallback: 200, least: 200, most: 599 },
  delayMs: { fallback: 0, least: 0, most: 60_000 },
  times: { fallback: null, least: 1, most: 1_000_000 },
};

/** Reads a behaviour from a request's JSON. Omitted fields have defaults; every invalid field is reported. */
export function parseBehaviour(body: unknown): Parsed<Behaviour> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return { errors: [{ field: '', message: 'must be a JSON object' }] };
  }
  const given = body as Record<string, unknown>;
  const unknown = Object.keys(given).filter((field) => !Object.hasOwn(RULES, field));
  const errors = [
    ...unknown.map((field) => ({
      field,
      message: `is unknown; fields are ${Object.keys(RULES).join(', ')}`,
    })),
    ...Object.entries(RULES).flatMap(([field, rule]) => checkField(field, given[field], rule)),
  ];
  if (errors.length > 0) return { errors };
  const read = (field: keyof Behaviour): number | null =>
    (given[field] as number | null) ?? RULES[field].fallback;
  return { value: { status: read('status') ?? 200, delayMs: read('delayMs') ?? 0, times: read('times') } };
}

function checkField(field: string, value: unknown, { fallback, least, most }: Rule): FieldError[] {
  if (value === undefined || (value === null && fallback === null)) return [];
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return [];
  return [{ field, message: `must be a whole number from ${least} to ${most}` }];
}

/** The behaviour after it has been used once. */
export function afterUse(behaviour: Behaviour): Behaviour {
  if (behaviour.times === null) return behaviour;
  return behaviour.times > 1 ? { ...behaviour, times: behaviour.times - 1 } : WELL_BEHAVED;
}
