/** Limits the POSTs to an endpoint. Tokens accrue evenly; each POST takes one. */
export interface Rate {
  readonly perSecond: number;
  tokens: number;
  /** When the tokens were counted, in milliseconds of a monotonic clock. */
  countedAt: number;
}

/**
 * Tokens accrue for at most this long, in milliseconds, so that the rate is reached although timers are late. The capacity
 * is at least one token. A new owner of the endpoint starts at capacity, so a change of owners adds no more than that.
 */
const SLACK_MS = 50;
/** The queue of an endpoint holds the jobs of this time, in milliseconds; the others wait in their rows. */
const QUEUE_MS = 2_000;
const MIN_QUEUED = 4;

/** The rate of an endpoint whose row was read. Accrued tokens are kept, up to the new capacity. */
export function rateOf(known: Rate | null, perSecond: number | null, now: number): Rate | null {
  if (perSecond === null || known?.perSecond === perSecond) return perSecond === null ? null : known;
  const most = capacityOf(perSecond);
  const tokens = known === null ? most : Math.min(tokensOf(known, now), most);
  return { perSecond, tokens, countedAt: now };
}

function capacityOf(perSecond: number): number {
  return Math.max(1, (perSecond * SLACK_MS) / 1_000);
}

/** The number of tokens that are available now. */
export function tokensOf(rate: Rate, now: number): number {
  accrue(rate, now);
  return rate.tokens;
}

/** @returns whether there was a token */
export function takeToken(rate: Rate, now: number): boolean {
  if (tokensOf(rate, now) < 1) return false;
  rate.tokens -= 1;
  return true;
}

/** When `tokens` tokens will have accrued, if none is taken. */
export function dueAt(rate: Rate, tokens: number, now: number): number {
  const missing = tokens - tokensOf(rate, now);
  return missing <= 0 ? now : now + (missing * 1_000) / rate.perSecond;
}

/** How many jobs of the endpoint may be queued in memory. */
export function queueLimit(rate: Rate | null): number {
  if (rate === null) return Number.POSITIVE_INFINITY;
  return Math.max(MIN_QUEUED, Math.ceil((rate.perSecond * QUEUE_MS) / 1_000));
}

function accrue(rate: Rate, now: number): void {
  const accrued = (Math.max(now - rate.countedAt, 0) * rate.perSecond) / 1_000;
  rate.tokens = Math.min(rate.tokens + accrued, capacityOf(rate.perSecond));
  rate.countedAt = Math.max(now, rate.countedAt);
}
