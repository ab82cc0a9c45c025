import type { ReplayJob } from '@postrider/client';

export const handledBy = ({ replayed, skipped }: ReplayJob): number => replayed + skippedBy(skipped);

const skippedBy = (skipped: ReplayJob['skipped']) =>
  Object.values(skipped).reduce((sum, count) => sum + count, 0);

export function showJob({ jobId, status, dryRun, matched, replayed, skipped }: ReplayJob): readonly string[] {
  const skippedInAll = skippedBy(skipped);
  const reasons = Object.entries(skipped)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `  ${reason}: ${count}`);
  if (matched === null) return [`${jobId} ${status}: the deliveries are not counted yet.`];
  if (dryRun) {
    const would = skippedInAll === 0 ? '' : ` ${skippedInAll} of them would be skipped:`;
    const match = matched === 1 ? '1 delivery matches.' : `${matched} deliveries match.`;
    return [`${match}${would}`, ...reasons, 'Nothing was sent.'];
  }
  return [
    `${jobId} ${status}: ${replayed} of ${matched} deliveries were replayed, ${skippedInAll} were skipped.`,
    ...reasons,
  ];
}
