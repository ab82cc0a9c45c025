import { quantile } from '../measure/quantile.js';
import { type AtRate, eventsDue } from './plan.js';

export interface AtRateParts {
  /** Makes and publishes events for these workspaces; resolves once the broker has them. */
  readonly publish: (workspaces: readonly number[]) => Promise<void>;
  /** Ends it before its time. */
  readonly isEnough: () => boolean;
  /** Milliseconds. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

const TICK_MS = 1;

/**
 * Publishes what is due every millisecond, whether or not the requests before have been answered. The times of the
 * events are those of their sending; how late that was is told, since a schedule that is not kept measures something else.
 */
export async function publishAtRate(
  { streams, seconds }: AtRate,
  { publish, isEnough, now, pause }: AtRateParts,
): Promise<{ events: number; lagP99Ms: number | null }> {
  const startedAt = now();
  const sent = streams.map(() => 0);
  const lags: number[] = [];
  const requests: Promise<void>[] = [];
  const takeDue = (): number[] =>
    streams.flatMap(({ workspaces, perSecond }, index) => {
      const before = sent[index] ?? 0;
      const elapsed = now() - startedAt;
      const due = eventsDue(elapsed, { perSecond, seconds });
      sent[index] = due;
      return Array.from({ length: due - before }, (_, nth) => {
        lags.push(elapsed - ((before + nth) * 1_000) / perSecond);
        return workspaces[(before + nth) % workspaces.length] ?? 0;
      });
    });
  const endsAt = seconds === null ? Number.POSITIVE_INFINITY : startedAt + seconds * 1_000;
  while (now() < endsAt && !isEnough()) {
    const due = takeDue();
    if (due.length > 0) requests.push(publish(due));
    await pause(TICK_MS);
  }
  const rest = takeDue();
  if (rest.length > 0) requests.push(publish(rest));
  await Promise.all(requests);
  return { events: lags.length, lagP99Ms: quantile(Float64Array.from(lags).sort(), 0.99) };
}
