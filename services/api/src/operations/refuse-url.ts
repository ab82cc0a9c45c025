import { Refusal } from '@postrider/shared/domain/refusal';
import type { Deps } from './deps.js';

/** @throws Refusal `InvalidWebhookUrl` that says which rule the URL breaks */
export function refuseUrl(egress: Deps['egress'], url: string): void {
  const problem = egress.problemWith(url);
  if (problem === null) return;
  throw new Refusal('InvalidWebhookUrl', `The webhook URL ${problem}.`, [{ path: 'url', message: problem }]);
}
