import { MAX_MISTAKES } from '@postrider/shared/domain/input-mistake';
import { unstorableParts } from '@postrider/shared/domain/unstorable';
import type { BoundOperation } from '../document/bound-operations.js';
import type { OpenApiDocument, Schema } from '../document/openapi.js';
import type { InputError, Mistake } from '../domain/refusal.js';
import { schemaCheck } from './schema-check.js';

/**
 * Reports the mistakes in an operation's input, one for each path: by its schema, unstorable parts, and by its own rule. Those
 * that decide the refusal's tag come first. Those that depend on the time are reported only with others. It compares the paths
 * of as many as a response has: a body may have thousands, with names as long as itself.
 */
export function inputCheck(
  document: OpenApiDocument,
  { mistakesIn }: Pick<BoundOperation, 'mistakesIn'>,
  schema: Schema,
) {
  const check = schemaCheck(document, schema);
  return (input: unknown): readonly Mistake[] => {
    const bySchema = check(input);
    const found = [...bySchema, ...unstorable(input)];
    const ofRule = mistakesIn(input).slice(0, MAX_MISTAKES);
    const isNew = ({ path }: Mistake) => !bySchema.some((mistake) => mistake.path === path);
    const deciding = ofRule.filter((mistake) => mistake.own !== undefined && isNew(mistake));
    const mistakes = new Map<string, Mistake>();
    for (const mistake of [...deciding, ...found, ...ofRule]) {
      if (mistakes.size === MAX_MISTAKES) break;
      if (!mistakes.has(mistake.path)) mistakes.set(mistake.path, mistake);
    }
    const reported = [...mistakes.values()];
    return reported.every(({ isOfTime = false }) => isOfTime) ? [] : reported;
  };
}

function unstorable(input: unknown): readonly InputError[] {
  return unstorableParts(input, 'unchanged').map(({ path, message }) => ({ path: path || 'body', message }));
}
