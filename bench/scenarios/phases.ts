import type { Records } from '../account/delivery-records.js';
import type { Published } from '../generator/plan.js';
import type { Figure, Goal, Part } from '../report/row.js';
import { deliveriesOf, lagFigure, latencyFigures, ratioFigure } from './figures.js';

/**
 * The same load before, during and after something whose effect is measured, in the same processes. The machine changes its
 * speed within minutes, so that separate rows could not be compared.
 */
export interface Phases {
  readonly before: Published;
  readonly during: Published;
  readonly after: Published;
}

/** Deliveries of these groups. */
interface Observed {
  readonly records: Records;
  readonly groups: readonly string[];
}

/** The p99 during the effect, divided by that before and after it. */
export function phaseRatioFigure(
  { before, during, after }: Phases,
  { records, groups }: Observed,
  goal: Goal,
): Figure {
  const latencies = (...phases: readonly Published[]) =>
    latencyFigures(phases.flatMap((phase) => deliveriesOf(records, phase, groups)));
  const compared = { figures: latencies(during), baseline: { figures: latencies(before, after) } };
  return ratioFigure('times p99', 'p99', compared, goal);
}

/** The latency of each phase. */
export function phaseParts(phases: Phases, { records, groups }: Observed, what: string): Part[] {
  return (['before', 'during', 'after'] as const).map((phase) => ({
    label: `${phase} ${what}`,
    figures: [...latencyFigures(deliveriesOf(records, phases[phase], groups)), lagFigure(phases[phase])],
  }));
}
