import type { Mistake } from '../domain/refusal.js';
import type { Deps } from './deps.js';
import { unknownSubscriptions } from './event-type-names.js';

interface Settings {
  readonly url?: unknown;
  readonly eventTypes?: unknown;
}

/** The mistakes in an endpoint's URL and event types. A URL that breaks a rule is `InvalidWebhookUrl`. */
export function settingMistakes(
  deps: Pick<Deps, 'egress' | 'catalogue'>,
  { url, eventTypes }: Settings,
): readonly Mistake[] {
  const problem = typeof url === 'string' ? deps.egress.problemWith(url) : null;
  const unknown = Array.isArray(eventTypes) ? unknownSubscriptions(deps, eventTypes) : [];
  return problem === null ? unknown : [invalidUrl(problem), ...unknown];
}

function invalidUrl(problem: string): Mistake {
  const own = { tag: 'InvalidWebhookUrl', detail: `The webhook URL ${problem}` } as const;
  return { path: 'url', message: problem, own };
}
