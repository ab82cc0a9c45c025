import type { Db } from 'mongodb';
import type { Clock } from '../ports/clock.js';
import type { Log } from '../ports/log.js';

export interface PrimaryClock extends Clock {
  /** How far this machine's clock is behind the primary's now, in milliseconds, also if it was set since the start. */
  offsetMs(): number;
  stop(): void;
}

interface Sample {
  /** How far the primary's clock was ahead of this process's monotonic one, in milliseconds. */
  readonly offsetMs: number;
  readonly roundTripMs: number;
}

const MEASURE_EVERY_MS = 10_000;
const KEPT_SAMPLES = 5;
/** Samples with a longer round trip, in milliseconds, are used only while there are no others. */
const SLOWEST_SAMPLE_MS = 250;
/** Samples differ by less than this, in milliseconds, and half their round trips, unless the clock is set. */
const JUMP_MS = 1_000;
/** A larger offset, in milliseconds, is logged as an error. */
const SUSPICIOUS_OFFSET_MS = 5_000;

/**
 * Follows the time of the database's primary by this process's monotonic clock: all processes date rows, claims, due
 * times and signatures by one clock, and a jump of the wall clock has no effect.
 */
export async function startPrimaryClock(db: Db, log: Log): Promise<PrimaryClock> {
  const started = performance.timeOrigin;
  const own = () => started + performance.now();
  let samples: Sample[] = [];
  let offset = 0;
  const nowMs = () => own() + offset;
  const offsetMs = () => nowMs() - Date.now();
  const measure = async () => {
    const sent = own();
    const { localTime } = (await db.command({ hello: 1 })) as unknown as { localTime: Date };
    const arrived = own();
    samples = keepSample(samples, {
      offsetMs: localTime.getTime() + (arrived - sent) / 2 - arrived,
      roundTripMs: arrived - sent,
    });
    offset = bestOffset(samples) ?? offset;
  };
  const report = () => {
    if (!samples.some(isFast)) {
      const errorMs = Math.round(Math.min(...samples.map(({ roundTripMs }) => roundTripMs)) / 2);
      log.warn(
        { event: 'clock.inaccurate', errorMs },
        'the database answers so slowly that its time is known only within errorMs: signatures and due times may be off by that',
      );
    }
    if (Math.abs(offsetMs()) > SUSPICIOUS_OFFSET_MS) {
      log.error(
        { event: 'clock.offset', offsetMs: Math.round(offsetMs()) },
        "this machine's clock differs from the database's by over 5 s: check time synchronisation on both",
      );
    }
  };
  for (let first = 0; first < KEPT_SAMPLES; first += 1) await measure();
  report();
  const timer = setInterval(() => {
    measure().then(report, (error: unknown) =>
      log.debug({ event: 'clock.unmeasured', err: error }, 'the clock keeps its last offset'),
    );
  }, MEASURE_EVERY_MS).unref();
  return { now: () => new Date(nowMs()), offsetMs, stop: () => clearInterval(timer) };
}

/** The newest samples with a short round trip since the last jump of the primary's clock; the newest of all if there are none. */
export function keepSample(samples: readonly Sample[], sample: Sample): Sample[] {
  const fast = samples.filter(isFast);
  if (!isFast(sample) && fast.length > 0) return fast;
  const sameClock = (isFast(sample) ? fast : samples).filter((one) => isOfSameClock(one, sample));
  return [...sameClock, sample].slice(-KEPT_SAMPLES);
}

const isFast = ({ roundTripMs }: Sample) => roundTripMs <= SLOWEST_SAMPLE_MS;

/** The error of a sample is at most half its round trip. */
function isOfSameClock(a: Sample, b: Sample): boolean {
  return Math.abs(a.offsetMs - b.offsetMs) < JUMP_MS + (a.roundTripMs + b.roundTripMs) / 2;
}

/** The offset of the sample with the shortest round trip, which is the most accurate. Null without samples. */
export function bestOffset(samples: readonly Sample[]): number | null {
  let best: Sample | null = null;
  for (const sample of samples) if (best === null || sample.roundTripMs < best.roundTripMs) best = sample;
  return best === null ? null : best.offsetMs;
}
