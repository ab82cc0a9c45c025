import { type Evidence, type Invariant, isPost } from '../evidence.js';
import type { EndpointRow, StreakChange } from '../snapshot.js';

/** The number of consecutive failures that disables an endpoint (specification, section 8). */
const DISABLING_FAILURES = 20;
const BY_FAILURES = 'consecutive_failures';

/** A change of the streak and its cause. */
interface Change extends StreakChange {
  readonly cause: string;
  /** Null if the cause is not an attempt. */
  readonly delivered: boolean | null;
}

/**
 * I3: the changes of a streak form one chain without a gap or a fork that ends at the stored value; each follows from
 * its attempt; each time the streak reached twenty is audited once.
 */
export const streaksAreConsistent: Invariant = (evidence) => {
  const changes = Map.groupBy(changesIn(evidence), ({ endpointId }) => endpointId);
  return [...evidence.now.endpoints.values()].flatMap((endpoint) => {
    const chain = (changes.get(endpoint.id) ?? []).sort((a, b) => a.version - b.version);
    return [
      ...brokenChain(endpoint, chain, evidence),
      ...uncountedFailures(endpoint, chain, evidence),
      ...missingResets(endpoint, chain, evidence),
      ...wrongAudits(endpoint, chain, evidence),
    ].map((what) => `${endpoint.path}: ${what}`);
  });
};

/** Retention removes changes together with their deliveries. */
const isComplete = ({ conditions }: Evidence) => conditions.retentionMs === null;

function changesIn({ now }: Evidence): (Change & { readonly endpointId: string })[] {
  const byAttempts = [...now.attempts.values()].flatMap(({ id, endpointId, status, streak }) =>
    streak === null ? [] : [{ ...streak, endpointId, cause: id, delivered: status === 'delivered' }],
  );
  // Disabling repeats the change of its attempt; enabling is a separate change.
  const byCalls = now.audits.flatMap(({ id, targetId, streak, reason }) =>
    streak === null || reason === BY_FAILURES
      ? []
      : [{ ...streak, endpointId: targetId, cause: id, delivered: null }],
  );
  return [...byAttempts, ...byCalls];
}

function brokenChain(endpoint: EndpointRow, chain: readonly Change[], evidence: Evidence): string[] {
  const complete = isComplete(evidence);
  const start = complete ? { version: 0, after: 0 } : undefined;
  const wrong = chain.flatMap(({ version, before, after, cause, delivered }, index) => {
    const previous = chain[index - 1] ?? start;
    const isNext = version - 1 === previous?.version;
    const continues = isNext ? before === previous?.after : !complete && version !== previous?.version;
    if (continues && after === (delivered === false ? before + 1 : 0)) return [];
    return [
      `streak change ${version} (${before} to ${after}, by ${cause}) does not follow ${previous?.after}`,
    ];
  });
  const last = chain.at(-1) ?? start;
  const mustEndHere = last !== undefined && (complete || last.version >= endpoint.streakVersion);
  if (mustEndHere && (last.version !== endpoint.streakVersion || last.after !== endpoint.streak))
    wrong.push(
      `its streak is ${endpoint.streak} after ${endpoint.streakVersion} changes, ` +
        `but change ${last.version} left ${last.after}`,
    );
  return wrong;
}

const wasClosed = ({ id }: EndpointRow, { now }: Evidence) =>
  now.audits.some(({ targetId, action }) => targetId === id && /\.(disabled|deleted)$/.test(action));

/** A success resets a streak: none can have been stored between two checks if the streak only grew. */
function missingResets(endpoint: EndpointRow, chain: readonly Change[], evidence: Evidence): string[] {
  const { now, before } = evidence;
  const earlier = before?.endpoints.get(endpoint.id);
  if (before === null || earlier === undefined) return [];
  if (endpoint.streakVersion < earlier.streakVersion)
    return [`its streak went from change ${earlier.streakVersion} to ${endpoint.streakVersion}`];
  const since = chain.filter(({ version }) => version > earlier.streakVersion);
  const onlyGrew = earlier.streak > 0 && endpoint.streak > 0 && since.every(({ after }) => after > 0);
  if (!onlyGrew || wasClosed(endpoint, evidence)) return [];
  return [...now.attempts.values()]
    .filter(({ endpointId, status }) => endpointId === endpoint.id && status === 'delivered')
    .filter(({ id }) => !before.attempts.has(id))
    .map(({ id }) => `the success ${id} did not reset its streak`);
}

/** An endpoint that was never disabled counts every failure. */
function uncountedFailures(endpoint: EndpointRow, chain: readonly Change[], evidence: Evidence): string[] {
  if (wasClosed(endpoint, evidence)) return [];
  const counted = new Set(chain.map(({ cause }) => cause));
  return [...evidence.now.attempts.values()]
    .filter(({ endpointId, status }) => endpointId === endpoint.id && status !== 'delivered')
    .filter((attempt) => isPost(attempt) && !counted.has(attempt.id))
    .map(({ id }) => `the failure ${id} was not counted`);
}

function wrongAudits({ id }: EndpointRow, chain: readonly Change[], evidence: Evidence): string[] {
  if (!isComplete(evidence)) return [];
  const audits = evidence.now.audits.filter(
    ({ targetId, reason }) => targetId === id && reason === BY_FAILURES,
  );
  const versions = (changes: readonly StreakChange[]) =>
    changes
      .map(({ version }) => version)
      .sort((a, b) => a - b)
      .join(', ');
  const crossings = versions(chain.filter(({ after }) => after === DISABLING_FAILURES));
  const audited = versions(audits.flatMap(({ streak }) => streak ?? []));
  if (crossings === audited) return [];
  return [`reached ${DISABLING_FAILURES} failures at the changes ${crossings}; audited are ${audited}`];
}
