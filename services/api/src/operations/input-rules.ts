import { optionMistakes } from '../domain/option-mistakes.js';
import type { Mistake } from '../domain/refusal.js';
import type { Deps } from './deps.js';
import { settingMistakes } from './setting-mistakes.js';

/** Finds the mistakes in an input that its schema cannot express. It leaves parts of the wrong type to the schema. */
export type InputRule = (input: Readonly<Record<string, unknown>>) => readonly Mistake[];

/** The rules of inputs that schemas cannot express, by their names in the document. They need nothing that is stored. */
export function createInputRules(deps: Pick<Deps, 'egress' | 'catalogue'>) {
  return {
    endpoint: (input) => [...settingMistakes(deps, input), ...optionMistakes(input)],
  } as const satisfies Readonly<Record<string, InputRule>>;
}

export type InputRules = ReturnType<typeof createInputRules>;
