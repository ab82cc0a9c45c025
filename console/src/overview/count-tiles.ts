import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { formatShare } from '../ui/format-share.js';
import type { Tile } from './tiles.js';

type Overview = components['schemas']['WorkspaceOverview'];

/** The counts of a workspace. "Failed" and "Retries exhausted" mean here what they mean for a delivery and in the plot. */
export function countTiles({ endpoints, last24h }: Overview): readonly Tile[] {
  const { successRate, delivered, pending, failed, failedPermanent, deadLettered, held } = last24h;
  const lost = failedPermanent + deadLettered;
  const day = texts.overview.last24h;
  return [
    {
      name: texts.overview.successRate,
      value: successRate === null ? texts.overview.none : formatShare(successRate),
      note: day,
    },
    { name: texts.deliveries.statuses.delivered, value: count(delivered), note: day },
    {
      name: texts.deliveries.statuses.failed,
      value: count(failed),
      note: texts.overview.pending(pending),
      tone: failed > 0 ? 'warn' : undefined,
    },
    {
      name: texts.overview.lost,
      value: count(lost),
      note: texts.overview.lostNote(failedPermanent, deadLettered),
      tone: lost > 0 ? 'bad' : undefined,
    },
    {
      name: texts.deliveries.held,
      value: count(held),
      note: texts.overview.heldNote,
      tone: held > 0 ? 'hold' : undefined,
    },
    {
      name: texts.overview.enabled,
      value: count(endpoints.enabled),
      note: texts.overview.disabled(endpoints.disabled),
    },
  ];
}

function count(value: number): string {
  return value.toLocaleString(texts.language);
}
