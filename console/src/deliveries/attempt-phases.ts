import type { components } from '@postrider/client';

type Timings = components['schemas']['AttemptTimings'];

export const PHASES = ['connect', 'headers', 'body'] as const;
export type PhaseName = (typeof PHASES)[number];

/** A phase of an attempt as a part of a bar. */
export interface Phase {
  readonly name: PhaseName;
  readonly ms: number;
  /** Percent of the longest attempt, from the start of the attempt. */
  readonly from: number;
  readonly width: number;
}

/** The phases of an attempt, on the scale of the longest one. Phases that were not reached are left out. */
export function phasesOf({ connectMs, headersMs, bodyMs }: Timings, longestMs: number): readonly Phase[] {
  const durations = { connect: connectMs, headers: headersMs, body: bodyMs };
  let startMs = 0;
  return PHASES.flatMap((name) => {
    const ms = durations[name];
    if (ms === null) return [];
    const phase = { name, ms, from: percent(startMs, longestMs), width: percent(ms, longestMs) };
    startMs += ms;
    return [phase];
  });
}

/** The whole of an attempt without timings, as of earlier versions or of one that timed out. */
export function totalOf({ durationMs }: { readonly durationMs: number | null }, longestMs: number): number {
  return durationMs === null ? 0 : percent(durationMs, longestMs);
}

function percent(ms: number, ofMs: number): number {
  return ofMs <= 0 ? 0 : Math.min(100, (ms / ofMs) * 100);
}
