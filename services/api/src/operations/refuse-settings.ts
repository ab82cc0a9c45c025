import { MAX_MISTAKES } from '@postrider/shared/domain/input-mistake';
import type { UpdateWebhook } from '../contract/webhook.js';
import { type InputError, Refusal } from '../domain/refusal.js';
import type { Deps } from './deps.js';
import { unknownSubscriptions } from './event-type-names.js';

/**
 * Refuses an endpoint's URL and event types with all their mistakes together.
 *
 * @throws Refusal `InvalidWebhookUrl` if the URL breaks a rule, otherwise `InvalidRequest`
 */
export function refuseSettings(
  deps: Pick<Deps, 'egress' | 'catalogue'>,
  { url, eventTypes = [] }: Pick<UpdateWebhook, 'url' | 'eventTypes'>,
): void {
  const unknown = unknownSubscriptions(deps, eventTypes);
  const problem = url === undefined ? null : deps.egress.problemWith(url);
  if (problem !== null) throw invalidUrl(problem, unknown.slice(0, MAX_MISTAKES - 1));
  if (unknown.length > 0) throw Refusal.invalid(...unknown);
}

function invalidUrl(problem: string, others: readonly InputError[]): Refusal {
  const detail = [`The webhook URL ${problem}`, ...others.map(({ path, message }) => `${path} ${message}`)];
  const errors = [{ path: 'url', message: problem }, ...others];
  return new Refusal('InvalidWebhookUrl', `${detail.join('; ')}.`, errors);
}
