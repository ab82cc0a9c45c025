import type { AttemptRow, EndpointRow, Evidence, Invariant, StreakChange } from '../evidence.js';
import { isBookkeeping } from '../evidence.js';

/** The failure in a row that disables an endpoint (specification, section 8). */
const DISABLES = 20;
const BY_FAILURES = 'consecutive_failures';

/** One change of the streak and what caused it. */
interface Link extends StreakChange {
  readonly cause: string;
  /** Null for a cause that is no attempt. */
  readonly delivered: boolean | null;
}

/**
 * I3: the changes of a streak make one chain without a gap or a fork that ends at the stored value; each follows from
 * its attempt; each time that it came to twenty is audited, once.
 */
export const streaksAddUp: Invariant = (evidence) => {
  const isWhole = evidence.circumstances.retentionMs === null;
  const links = linksOf(evidence);
  return [...evidence.now.endpoints.values()].flatMap((endpoint) => {
    const chain = (links.get(endpoint.id) ?? []).sort((a, b) => a.version - b.version);
    return [
      ...(isWhole ? breaksOf(endpoint, chain) : breaksOfRest(endpoint, chain)),
      ...uncounted(endpoint, chain, evidence),
      ...notReset(endpoint, chain, evidence),
      ...(isWhole ? auditsOf(endpoint, chain, evidence) : []),
    ];
  });
};

function linksOf({ now }: Evidence): Map<string, Link[]> {
  const links = new Map<string, Link[]>();
  const add = (endpointId: string, link: Link) => {
    const chain = links.get(endpointId);
    if (chain === undefined) links.set(endpointId, [link]);
    else chain.push(link);
  };
  for (const { id, endpointId, status, streak } of now.attempts.values())
    if (streak !== null) add(endpointId, { ...streak, cause: id, delivered: status === 'delivered' });
  // What disables an endpoint repeats its attempt's change; what enables one makes a change of its own.
  for (const { id, targetId, streak, reason } of now.audits)
    if (streak !== null && reason !== BY_FAILURES) add(targetId, { ...streak, cause: id, delivered: null });
  return links;
}

function breaksOf(endpoint: EndpointRow, chain: readonly Link[]): string[] {
  const wrong: string[] = [];
  let streak = 0;
  for (const [index, { version, before, after, cause, delivered }] of chain.entries()) {
    const follows = delivered === false ? before + 1 : 0;
    if (version !== index + 1 || before !== streak || after !== follows)
      wrong.push(
        `${endpoint.path}: streak change ${version} (${before} to ${after}, by ${cause}) does not follow on ${streak}`,
      );
    streak = after;
  }
  if (endpoint.streak !== streak || endpoint.streakVersion !== chain.length)
    wrong.push(
      `${endpoint.path}: its streak is ${endpoint.streak} after ${endpoint.streakVersion} changes, ` +
        `the chain ends at ${streak} after ${chain.length}`,
    );
  return wrong;
}

/** What can be said of a chain of which links have gone with their deliveries. */
function breaksOfRest(endpoint: EndpointRow, chain: readonly Link[]): string[] {
  const { path, streak, streakVersion } = endpoint;
  const wrong: string[] = [];
  for (const [index, { version, before, after, cause, delivered }] of chain.entries()) {
    const previous = chain[index - 1];
    const follows = delivered === false ? before + 1 : 0;
    const fits = previous?.version !== version - 1 || previous.after === before;
    if (previous?.version === version || !fits || after !== follows)
      wrong.push(`${path}: streak change ${version} (${before} to ${after}, by ${cause}) does not follow`);
  }
  const last = chain.at(-1);
  if (last === undefined) return wrong;
  if (last.version > streakVersion || (last.version === streakVersion && last.after !== streak))
    wrong.push(
      `${path}: its streak is ${streak} after ${streakVersion} changes, change ${last.version} left ${last.after}`,
    );
  return wrong;
}

function wasClosed({ id }: EndpointRow, { now }: Evidence): boolean {
  return now.audits.some(({ targetId, action }) => targetId === id && /\.(disabled|deleted)$/.test(action));
}

/** A success sets a streak back: between two looks none can have been stored while the streak only grew. */
function notReset(endpoint: EndpointRow, chain: readonly Link[], evidence: Evidence): string[] {
  const { now, before } = evidence;
  const earlier = before?.endpoints.get(endpoint.id);
  if (before === null || earlier === undefined) return [];
  if (endpoint.streakVersion < earlier.streakVersion)
    return [
      `${endpoint.path}: its streak went from change ${earlier.streakVersion} to ${endpoint.streakVersion}`,
    ];
  const since = chain.filter(({ version }) => version > earlier.streakVersion);
  const onlyGrew = earlier.streak > 0 && endpoint.streak > 0 && since.every(({ after }) => after > 0);
  if (!onlyGrew || wasClosed(endpoint, evidence)) return [];
  return [...now.attempts.values()]
    .filter(
      ({ id, endpointId, status }) =>
        endpointId === endpoint.id && status === 'delivered' && !before.attempts.has(id),
    )
    .map(({ id }) => `${endpoint.path}: the success ${id} did not set its streak back`);
}

/** An endpoint that was never disabled has counted every failure. */
function uncounted(endpoint: EndpointRow, chain: readonly Link[], evidence: Evidence): string[] {
  const { id, path } = endpoint;
  if (wasClosed(endpoint, evidence)) return [];
  const counted = new Set(chain.map(({ cause }) => cause));
  const isMissing = (attempt: AttemptRow) =>
    attempt.endpointId === id &&
    attempt.status !== 'delivered' &&
    !isBookkeeping(attempt) &&
    !counted.has(attempt.id);
  return [...evidence.now.attempts.values()]
    .filter(isMissing)
    .map((attempt) => `${path}: the failure ${attempt.id} was not counted`);
}

function auditsOf({ id, path }: EndpointRow, chain: readonly Link[], { now }: Evidence): string[] {
  const crossings = chain.filter(({ after }) => after === DISABLES);
  const audits = now.audits.filter(({ targetId, reason }) => targetId === id && reason === BY_FAILURES);
  const versions = (links: readonly { readonly version: number }[]) =>
    links.map(({ version }) => version).join(', ');
  const audited = versions(
    audits.flatMap(({ streak }) => streak ?? []).sort((a, b) => a.version - b.version),
  );
  return versions(crossings) === audited
    ? []
    : [`${path} came to ${DISABLES} at the changes ${versions(crossings)}; audited are ${audited}`];
}
