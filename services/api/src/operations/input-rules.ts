import { optionMistakes } from '../domain/option-mistakes.js';
import type { Mistake } from '../domain/refusal.js';
import { tokenMistakes } from './create-api-token.js';
import { replayJobMistakes } from './create-replay-job.js';
import type { Deps } from './deps.js';
import { unknownScopes } from './grantable-scopes.js';
import { replayHeldMistakes } from './replay-held.js';
import { settingMistakes } from './setting-mistakes.js';

/** Finds the mistakes in an input that its schema cannot express. It leaves parts of the wrong type to the schema. */
type InputRule = (input: Readonly<Record<string, unknown>>) => readonly Mistake[];

/** The rules of inputs that schemas cannot express, by their names in the document. They need nothing that is stored. */
export function createInputRules(deps: Pick<Deps, 'egress' | 'catalogue' | 'clock'>) {
  const endpointMistakes: InputRule = (input) => [...settingMistakes(deps, input), ...optionMistakes(input)];
  return {
    token: (input) => tokenMistakes(deps, input),
    'portal-link': ({ scopes }) => (Array.isArray(scopes) ? unknownScopes(scopes) : []),
    'replay-job': (input) => replayJobMistakes(deps, input),
    endpoint: endpointMistakes,
    'endpoint-update': (input) => [...endpointMistakes(input), ...replayHeldMistakes(input)],
  } as const satisfies Readonly<Record<string, InputRule>>;
}

export type InputRules = ReturnType<typeof createInputRules>;
