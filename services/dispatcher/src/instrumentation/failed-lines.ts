/** Limits the log lines of failed attempts, so that failing receivers do not decide how much is logged. */
export interface FailedLines {
  /** Whether a failure of an endpoint is logged. Failures that are not logged are counted. */
  take(endpointId: string): boolean;
  /** How many were not logged since the last report, once a minute; null if there is nothing to report. */
  takeReport(): number | null;
}

interface FailedLinesParts {
  readonly perSecond: number;
  readonly monotonicMs: () => number;
}

const SECOND_MS = 1_000;
/** Maximum share of a second's lines that one endpoint uses; it may always use one. */
const ENDPOINT_SHARE = 0.1;
const REPORT_EVERY_MS = 60_000;

export function createFailedLines({ perSecond, monotonicMs }: FailedLinesParts): FailedLines {
  const perEndpoint = Math.max(1, Math.floor(perSecond * ENDPOINT_SHARE));
  /** The lines of the current second, by endpoint. */
  const written = new Map<string, number>();
  let total = 0;
  let second = Number.NEGATIVE_INFINITY;
  let unreported = 0;
  let reportedAt = Number.NEGATIVE_INFINITY;
  const beginSecond = () => {
    const current = Math.floor(monotonicMs() / SECOND_MS);
    if (current === second) return;
    second = current;
    total = 0;
    written.clear();
  };
  return {
    take(endpointId) {
      beginSecond();
      const own = written.get(endpointId) ?? 0;
      if (total >= perSecond || own >= perEndpoint) {
        unreported += 1;
        return false;
      }
      total += 1;
      written.set(endpointId, own + 1);
      return true;
    },
    takeReport() {
      if (unreported === 0 || monotonicMs() - reportedAt < REPORT_EVERY_MS) return null;
      const count = unreported;
      unreported = 0;
      reportedAt = monotonicMs();
      return count;
    },
  };
}
