import { FAILURES_THAT_DISABLE } from '@postrider/shared/domain/endpoint';
import { bool, type CleanedEnv, withRule } from '@postrider/shared/runtime/config';
import { duration, fraction, servers, wholeNumber } from '@postrider/shared/runtime/variables';
import type { GuardSettings } from './guard/guard-core.js';
import { CANARIES } from './guard/guard-state.js';

/** Refuses a 0 with which the guard would work against its purpose instead of being off. */
const aboveZero = (name: string, effect: string) => (values: Readonly<Record<string, unknown>>) =>
  Number(values[name]) === 0 ? `is 0, so that ${effect}: OUTAGE_GUARD=false switches the guard off` : null;

const fewSeconds = duration({ least: '100ms', most: '1m' });

/** Settings that decide when failures count as those of our own network. */
export const OUTAGE_GUARD = {
  OUTAGE_GUARD: bool({
    default: true,
    desc: 'Hold sending, and count no failure, while most receivers are unreachable at once',
  }),
  OUTAGE_GUARD_WINDOW: duration({ least: '5s', most: '10m' })({
    default: 60_000,
    desc: 'Time in which receivers must have been tried to count for the outage guard',
  }),
  OUTAGE_GUARD_LATEST: duration({ least: '1s', most: '10m' })({
    default: 10_000,
    desc: 'The last part of this window, or all of it if that is shorter, which decides about the failures of a process that stops or loses partitions',
  }),
  OUTAGE_GUARD_ANSWER_AGE: withRule(
    duration({ least: '5m', most: '1d' })({
      default: 3_600_000,
      desc: 'Time since the last answer in which a domain counts for the outage guard',
    }),
    ({ OUTAGE_GUARD_ANSWER_AGE, OUTAGE_GUARD_WINDOW }) =>
      Number(OUTAGE_GUARD_ANSWER_AGE) < Number(OUTAGE_GUARD_WINDOW)
        ? 'is shorter than OUTAGE_GUARD_WINDOW: domains would not count for all of it'
        : null,
  ),
  OUTAGE_GUARD_MIN_ORIGINS: wholeNumber(
    5,
    400,
  )({
    default: 20,
    desc: 'Domains that must have been tried before the outage guard holds sending',
  }),
  OUTAGE_GUARD_MIN_WORKSPACES: wholeNumber(
    1,
    20,
  )({
    default: 3,
    desc: 'Workspaces that these domains must belong to; 1 for an installation with a single one',
  }),
  OUTAGE_GUARD_WORKSPACE_SHARE: withRule(
    fraction({
      default: 0.2,
      desc: 'Fraction of these domains that one workspace counts for at most, or its part of OUTAGE_GUARD_MIN_ORIGINS if that is more, 0 to 1',
    }),
    ({ OUTAGE_GUARD_WORKSPACE_SHARE, OUTAGE_GUARD_UNREACHED_FROM, OUTAGE_GUARD_MIN_WORKSPACES }) =>
      Number(OUTAGE_GUARD_UNREACHED_FROM) > 0 &&
      Number(OUTAGE_GUARD_WORKSPACE_SHARE) >= Number(OUTAGE_GUARD_UNREACHED_FROM) &&
      Number(OUTAGE_GUARD_MIN_WORKSPACES) > 1
        ? 'is not below OUTAGE_GUARD_UNREACHED_FROM: one workspace alone would decide, although OUTAGE_GUARD_MIN_WORKSPACES is more than 1'
        : null,
  ),
  OUTAGE_GUARD_UNREACHED_FROM: withRule(
    fraction({
      default: 0.8,
      desc: 'Fraction of these domains that must be unreachable, above 0 and up to 1',
    }),
    aboveZero('OUTAGE_GUARD_UNREACHED_FROM', 'sending would be held although every receiver is reached'),
  ),
  OUTAGE_GUARD_BASELINE_BELOW: withRule(
    fraction({
      default: 0.3,
      desc: 'Fraction that must not have been unreachable in OUTAGE_GUARD_BASELINE_SPAN, above 0 and up to 1',
    }),
    aboveZero('OUTAGE_GUARD_BASELINE_BELOW', 'no outage would ever hold sending'),
  ),
  OUTAGE_GUARD_BASELINE_SPAN: withRule(
    duration({ least: '1m', most: '1h' })({
      default: 600_000,
      desc: 'Time before the window with which the outage guard compares it',
    }),
    ({ OUTAGE_GUARD_BASELINE_SPAN, OUTAGE_GUARD_WINDOW }) =>
      Number(OUTAGE_GUARD_BASELINE_SPAN) < Number(OUTAGE_GUARD_WINDOW)
        ? 'is shorter than OUTAGE_GUARD_WINDOW, which is compared with it'
        : null,
  ),
  OUTAGE_GUARD_WITHHOLD: duration({ least: '0s', most: '5m' })({
    default: 60_000,
    desc: 'How long a failure without a connection may wait to be judged before it is recorded',
  }),
  OUTAGE_GUARD_REACHED_NEEDED: withRule(
    wholeNumber(
      1,
      50,
    )({
      default: 3,
      desc: 'Domains that must be reached after such a failure before it is recorded sooner, however few were tried',
    }),
    ({ OUTAGE_GUARD_REACHED_NEEDED, OUTAGE_GUARD_MIN_ORIGINS }) =>
      Number(OUTAGE_GUARD_REACHED_NEEDED) > Number(OUTAGE_GUARD_MIN_ORIGINS)
        ? 'is more than OUTAGE_GUARD_MIN_ORIGINS, which are enough to judge'
        : null,
  ),
  OUTAGE_GUARD_MAX_WITHHELD: wholeNumber(
    0,
    20_000,
  )({
    default: 2_000,
    desc: 'Maximum number of such failures in one process, twice as many with those of workspaces that have fewer than 16; beyond it a failure is not counted and tried again; 0 records all at once',
  }),
  OUTAGE_GUARD_WITHHELD_PER_ENDPOINT: wholeNumber(
    1,
    FAILURES_THAT_DISABLE - 1,
  )({
    default: 4,
    desc: `Maximum number of such failures of one endpoint, fewer than the ${FAILURES_THAT_DISABLE} that disable it`,
  }),
  OUTAGE_GUARD_TRIAL_INTERVAL: fewSeconds({
    default: 1_000,
    desc: 'Pause between two POSTs to an endpoint that has this number',
  }),
  OUTAGE_GUARD_CANARY_INTERVAL: fewSeconds({
    default: 1_000,
    desc: 'Pause between two connections that test whether receivers are reached again',
  }),
  OUTAGE_GUARD_CANARIES_NEEDED: wholeNumber(
    1,
    CANARIES,
  )({
    default: 3,
    desc: `How many of the last ${CANARIES} such connections must reach a server before sending resumes`,
  }),
  OUTAGE_GUARD_RAMP: fewSeconds({
    default: 5_000,
    desc: 'How long it takes after an outage until everything may be sent at once again',
  }),
  OUTAGE_GUARD_REFERENCES: servers({
    default: [],
    desc: 'Public destinations, like one.one.one.one:443, whose failure shows an outage while fewer domains or workspaces are tried than the outage guard needs',
  }),
  OUTAGE_GUARD_REFERENCES_HOLD: duration({ least: '1s', most: '10m' })({
    default: 30_000,
    desc: 'How long their failure alone holds sending before POSTs are tried again',
  }),
};

/** Null if the guard is off. */
export function guardSettings(
  config: CleanedEnv<typeof OUTAGE_GUARD> & { readonly MAX_IN_FLIGHT: number },
): GuardSettings | null {
  if (!config.OUTAGE_GUARD) return null;
  return {
    windowMs: config.OUTAGE_GUARD_WINDOW,
    latestMs: Math.min(config.OUTAGE_GUARD_LATEST, config.OUTAGE_GUARD_WINDOW),
    answerAgeMs: config.OUTAGE_GUARD_ANSWER_AGE,
    minOrigins: config.OUTAGE_GUARD_MIN_ORIGINS,
    minWorkspaces: config.OUTAGE_GUARD_MIN_WORKSPACES,
    workspaceShare: config.OUTAGE_GUARD_WORKSPACE_SHARE,
    unreachedFrom: config.OUTAGE_GUARD_UNREACHED_FROM,
    baselineBelow: config.OUTAGE_GUARD_BASELINE_BELOW,
    baselineSpanMs: config.OUTAGE_GUARD_BASELINE_SPAN,
    withholdMs: config.OUTAGE_GUARD_WITHHOLD,
    reachedNeeded: config.OUTAGE_GUARD_REACHED_NEEDED,
    maxWithheld: config.OUTAGE_GUARD_MAX_WITHHELD,
    withheldPerEndpoint: config.OUTAGE_GUARD_WITHHELD_PER_ENDPOINT,
    trialEveryMs: config.OUTAGE_GUARD_TRIAL_INTERVAL,
    canariesNeeded: config.OUTAGE_GUARD_CANARIES_NEEDED,
    rampMs: config.OUTAGE_GUARD_RAMP,
    referencesHoldMs: config.OUTAGE_GUARD_REFERENCES_HOLD,
    maxInFlight: config.MAX_IN_FLIGHT,
  };
}
