import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { clampLimit, decodeCursor, encodeCursor } from '@postrider/shared/domain/page';
import type { Page } from '../contract/page.js';
import type { ListedWebhook, WebhookFilter } from '../contract/webhook.js';
import { ENDPOINT_STATES, type EndpointState } from '../domain/endpoint-health.js';
import { type EndpointSearch, endpointSearch, matchesSearch } from '../domain/endpoint-search.js';
import { showWebhook } from '../views/webhook.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import type { CountHeld } from './held-counts.js';
import { countFitting } from './page-bytes.js';
import { readHealth, readStates } from './read-endpoint-health.js';
import { readSeveral } from './read-several.js';

type Needs = Pick<Deps, 'endpoints' | 'stats' | 'deliveries' | 'clock'>;

interface Criteria extends EndpointSearch {
  readonly states: readonly EndpointState[] | null;
}

/** Endpoints that are read at once, and for one page, when not every one matches. */
const READ_AT_ONCE = 250;
const MOST_READ = 1_000;

/** Lists endpoints in ascending order of ids. With conditions a page may be short: reading one is bounded. */
export function listWebhooks(deps: Needs, countHeld: CountHeld) {
  return async ({ workspace }: Call, request: WebhookFilter): Promise<Page<ListedWebhook>> => {
    const states = request.state === undefined ? null : readSeveral('state', request.state, ENDPOINT_STATES);
    const criteria = { ...endpointSearch(request), states };
    const list = `webhooks ${workspace.id}`;
    const position = request.cursor === undefined ? [] : decodeCursor(list, request.cursor);
    if (position === null || position.length > 1) return { items: [], nextCursor: null };
    const slice = { after: position[0] ?? null, limit: clampLimit(request.limit) };
    const { found, readTo } = await find(deps, { workspaceId: workspace.id, criteria, ...slice });
    const asked = found.slice(0, slice.limit);
    const items = await show(deps, asked, { countHeld, withHealth: request.health === true });
    const fitting = countFitting(items);
    const last = found.length > fitting ? items[fitting - 1]?.id : readTo;
    return {
      items: items.slice(0, fitting),
      nextCursor: last == null ? null : encodeCursor(list, [last]),
    };
  };
}

interface Search {
  readonly workspaceId: string;
  readonly criteria: Criteria;
  readonly after: string | null;
  readonly limit: number;
}

/** Up to `limit` + 1 endpoints, and the last one that was read if there may be more. */
async function find(deps: Needs, { workspaceId, criteria, after: first, limit }: Search) {
  const size = matchesAll(criteria) ? limit + 1 : READ_AT_ONCE;
  const found: Endpoint[] = [];
  let after = first;
  for (let read = 0; read < MOST_READ && found.length <= limit; read += size) {
    const rows = await deps.endpoints.list(workspaceId, { after, limit: size });
    found.push(...(await matching(deps, rows, criteria)));
    if (rows.length < size) return { found, readTo: null };
    after = rows.at(-1)?.id ?? null;
  }
  return { found, readTo: after };
}

function matchesAll({ text, metadata, states }: Criteria): boolean {
  return text === null && metadata === null && states === null;
}

async function matching(
  deps: Needs,
  endpoints: readonly Endpoint[],
  { states, ...search }: Criteria,
): Promise<readonly Endpoint[]> {
  const found = endpoints.filter((endpoint) => matchesSearch(endpoint, search));
  if (states === null) return found;
  const statesOfFound = await readStates(deps, found, states);
  return found.filter((_, index) => statesOfFound[index]?.some((state) => states.includes(state)));
}

interface Showing {
  readonly countHeld: CountHeld;
  readonly withHealth: boolean;
}

async function show(
  deps: Needs,
  endpoints: readonly Endpoint[],
  { countHeld, withHealth }: Showing,
): Promise<ListedWebhook[]> {
  const now = deps.clock.now();
  const [health, held] = await Promise.all([
    withHealth ? readHealth(deps, endpoints) : [],
    countHeld(endpoints),
  ]);
  return endpoints.map((endpoint, index) => {
    const shown = showWebhook(endpoint, now, held.get(endpoint.id) ?? 0);
    const found = health[index];
    return found === undefined ? shown : { ...shown, health: found };
  });
}
