import { LRUCache } from 'lru-cache';
import { type Count, type Counter, WINDOW_S } from './counter.js';

interface SampledCounterParts {
  readonly counter: Counter;
  readonly limit: number;
  readonly monotonicMs: () => number;
}

/** The known state of a client's window. */
interface Sample {
  readonly endsAt: number;
  /** As the shared counter last reported. */
  remaining: number;
  /** Requests of this process that the shared counter does not know yet. */
  unreported: number;
  /** Requests in reports that it has not answered yet. */
  reporting: number;
}

/** A process reports in hundredths of the limit, so several processes together exceed it by at most a hundredth each. */
const REPORTS_PER_WINDOW = 100;
const MAX_CLIENTS = 10_000;
/** The ends computed for one window differ by the response times, which are shorter than this. */
const SAME_WINDOW_MS = (WINDOW_S * 1_000) / 2;

/** Counts in this process and reports to a shared counter in portions, so that a limit of many clients costs few writes. */
export function createSampledCounter({ counter, limit, monotonicMs }: SampledCounterParts): Counter {
  const portion = Math.max(1, Math.floor(limit / REPORTS_PER_WINDOW));
  const samples = new LRUCache<string, Sample>({ max: MAX_CLIENTS });

  /** Reports may overtake each other, and requests are counted while they are on their way. */
  const learn = (client: string, { remaining, resetsInMs }: Count) => {
    const endsAt = monotonicMs() + resetsInMs;
    const sample = samples.get(client);
    if (sample !== undefined && endsAt < sample.endsAt + SAME_WINDOW_MS)
      sample.remaining = Math.min(sample.remaining, remaining);
    else samples.set(client, { endsAt, remaining, unreported: 0, reporting: 0 });
  };
  const report = async (client: string, sample: Sample | null): Promise<Count> => {
    const requests = 1 + (sample?.unreported ?? 0);
    if (sample !== null) {
      sample.unreported = 0;
      sample.reporting += requests;
    }
    try {
      const count = await counter(client, requests);
      learn(client, count);
      return count;
    } finally {
      if (sample !== null) sample.reporting -= requests;
    }
  };

  return async (client) => {
    const sample = samples.get(client);
    if (sample === undefined || sample.endsAt <= monotonicMs()) return report(client, null);
    const { unreported, reporting, endsAt } = sample;
    const remaining = sample.remaining - reporting - unreported - 1;
    if (remaining <= 0 || unreported + 1 >= portion) return report(client, sample);
    sample.unreported += 1;
    return { isAdmitted: true, remaining, resetsInMs: endsAt - monotonicMs() };
  };
}
