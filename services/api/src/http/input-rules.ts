import { MAX_MISTAKES } from '@postrider/shared/domain/input-mistake';
import { unstorableParts } from '@postrider/shared/domain/unstorable';
import type { InputRules, OpenApiDocument, Operation, Schema } from '../document/openapi.js';
import { optionMistakes } from '../domain/option-mistakes.js';
import type { InputError } from '../domain/refusal.js';
import { schemaCheck } from './schema-check.js';

/** Rules that a schema cannot express, by their name in the document. */
const RULES: Readonly<Record<InputRules, (input: unknown) => readonly InputError[]>> = {
  'endpoint-options': optionMistakes,
};

/**
 * Reports the mistakes in an operation's input, one for each path: by its schema, by its own rules, and unstorable parts. It
 * compares the paths of as many as a response has: a body may have thousands, with names as long as itself.
 */
export function inputCheck(document: OpenApiDocument, operation: Operation, schema: Schema) {
  const check = schemaCheck(document, schema);
  const rules = operation['x-input-rules'];
  return (input: unknown): readonly InputError[] => {
    const own = rules === undefined ? [] : RULES[rules](input);
    const mistakes = new Map<string, InputError>();
    for (const mistake of [...check(input), ...unstorable(input), ...own]) {
      if (mistakes.size === MAX_MISTAKES) break;
      if (!mistakes.has(mistake.path)) mistakes.set(mistake.path, mistake);
    }
    return [...mistakes.values()];
  };
}

function unstorable(input: unknown): readonly InputError[] {
  return unstorableParts(input, 'unchanged').map(({ path, message }) => ({ path: path || 'body', message }));
}
