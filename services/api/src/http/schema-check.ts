import { MAX_MISTAKES } from '@postrider/shared/domain/input-mistake';
import { A_DATE_TIME, readDateTime } from '@postrider/shared/domain/read-date-time';
import type { TLocalizedValidationError } from 'typebox/error';
import { Format } from 'typebox/format';
import { Compile } from 'typebox/schema';
import { Settings } from 'typebox/system';
import type { OpenApiDocument, Schema } from '../document/openapi.js';
import { resolveSchema } from '../document/resolve-schema.js';
import { normalizeEmail } from '../domain/email.js';
import type { InputError } from '../domain/refusal.js';

Settings.Set({ maxErrors: MAX_MISTAKES });

Format.Set('date-time', (text) => readDateTime(text) !== null);

Format.Set('email', (text) => normalizeEmail(text) !== null);

/** The messages for values that do not match a declared format. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': `must be ${A_DATE_TIME}`,
  email: 'must be an e-mail address',
};

/** The messages for values that do not match a declared pattern. People do not read regular expressions. */
const PATTERNS: Readonly<Record<string, string>> = {
  '^(\\*|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){1,4}|[a-z][a-z0-9_]*(\\.[a-z][a-z0-9_]*){0,3}\\.\\*)$':
    'must be an event type like billing.plan_changed, a prefix like billing.*, or * for all: lower-case words with dots between them',
};

/** Reports every mistake of a value. */
export type SchemaCheck = (value: unknown) => readonly InputError[];

/** Compiles a schema of the published document, so that the checks match what is published. */
export function schemaCheck(document: OpenApiDocument, schema: Schema): SchemaCheck {
  const validator = Compile(resolveSchema(document, schema));
  return (value) => {
    if (validator.Check(value)) return [];
    const [, errors] = validator.Errors(value);
    const mistakes = new Map<string, InputError>();
    for (const mistake of errors.filter(isOwn(errors)).flatMap(mistakesOf)) {
      if (!mistakes.has(mistake.path)) mistakes.set(mistake.path, mistake);
    }
    return [...mistakes.values()];
  };
}

/** If a nullable part contains a mistake, that one is reported, and not that the part is not null. */
function isOwn(errors: readonly TLocalizedValidationError[]) {
  return (error: TLocalizedValidationError): boolean => {
    const isOfChoice =
      error.keyword === 'anyOf' || (error.keyword === 'type' && error.params.type === 'null');
    return (
      !isOfChoice || !errors.some(({ instancePath }) => instancePath.startsWith(`${error.instancePath}/`))
    );
  };
}

function mistakesOf(error: TLocalizedValidationError): readonly InputError[] {
  const path = pathOf(error.instancePath);
  switch (error.keyword) {
    case 'boolean':
      return [{ path, message: 'is not a known field' }];
    // Repeats what the keyword `boolean` reports for each unknown field.
    case 'additionalProperties':
      return [];
    case 'required':
      return error.params.requiredProperties.map((name) => ({
        path: path === '' ? name : `${path}.${name}`,
        message: 'is required',
      }));
    case 'enum':
      return [{ path, message: `must be one of ${error.params.allowedValues.join(', ')}` }];
    case 'type':
      return [
        { path: path || 'body', message: `must be ${article([error.params.type].flat().join(' or '))}` },
      ];
    case 'format':
      return [{ path, message: FORMATS[error.params.format] ?? error.message }];
    case 'pattern':
      return [{ path: path || 'body', message: PATTERNS[patternOf(error.params)] ?? error.message }];
    case 'minItems':
    case 'minLength':
    case 'maxItems':
      return [{ path: path || 'body', message: sizeMessage(error.keyword, error.params.limit) }];
    default:
      return [{ path: path || 'body', message: error.message }];
  }
}

function patternOf({ pattern }: { readonly pattern: string | RegExp }): string {
  return typeof pattern === 'string' ? pattern : pattern.source;
}

function sizeMessage(keyword: 'minItems' | 'minLength' | 'maxItems', limit: number): string {
  const items = limit === 1 ? '1 item' : `${limit} items`;
  switch (keyword) {
    case 'minItems':
      return limit === 1 ? 'must not be empty' : `must have at least ${items}`;
    case 'minLength':
      return limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`;
    case 'maxItems':
      return `must have at most ${items}`;
  }
}

/** Converts a JSON pointer to the usual notation: `/eventTypes/0` becomes `eventTypes[0]`. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : `${index === 0 ? '' : '.'}${part}`))
    .join('');
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
