import type { Endpoint, SearchedEndpoint } from '@postrider/shared/domain/endpoint';
import { clampLimit, decodeCursor } from '@postrider/shared/domain/page';
import type { Page } from '../contract/page.js';
import type { ListedWebhook, WebhookFilter } from '../contract/webhook.js';
import { ENDPOINT_STATES, type EndpointState } from '../domain/endpoint-health.js';
import {
  countSubscriptions,
  type EndpointSearch,
  endpointSearch,
  matchesSearch,
} from '../domain/endpoint-search.js';
import { Refusal } from '../domain/refusal.js';
import { showWebhook } from '../views/webhook.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import type { CountHeld } from './held-counts.js';
import { fittingPage } from './page-bytes.js';
import { readHealth, readStates } from './read-endpoint-health.js';
import { readSeveral } from './read-several.js';

type Needs = Pick<Deps, 'endpoints' | 'stats' | 'deliveries' | 'clock'>;

interface Criteria extends EndpointSearch {
  readonly states: readonly EndpointState[] | null;
  readonly ids: readonly string[] | null;
}

/** As many as the largest page has: 6 KB of a URL. */
const MAX_IDS = 200;
/** Maximum number of endpoints in one read, and for one page, if conditions may exclude some. */
const READ_AT_ONCE = 250;
const MAX_READ = 1_000;
/** Maximum for one page, enough for usual endpoints. One endpoint may have 500, whose names have 60 KB. */
const MAX_SUBSCRIPTIONS = 10_000;

/** Lists endpoints in ascending order of ids. With conditions a page may be short, because reading is bounded. */
export function listWebhooks(deps: Needs, countHeld: CountHeld) {
  return async ({ workspace }: Call, request: WebhookFilter): Promise<Page<ListedWebhook>> => {
    const states = request.state === undefined ? null : readSeveral('state', request.state, ENDPOINT_STATES);
    const ids = request.ids === undefined ? null : readIds(request.ids);
    const criteria = { ...endpointSearch(request), states, ids };
    const list = `webhooks ${workspace.id}`;
    const position = request.cursor === undefined ? [] : decodeCursor(list, request.cursor);
    if (position === null || position.length > 1) return { items: [], nextCursor: null };
    const slice = { after: position[0] ?? null, limit: clampLimit(request.limit) };
    const { endpoints, readTo } = await find(deps, { workspaceId: workspace.id, criteria, ...slice });
    const items = await show(deps, endpoints, { countHeld, withHealth: request.health === true });
    return fittingPage(items, { list, idOf: ({ id }) => id, further: readTo });
  };
}

function readIds(text: string): readonly string[] {
  const ids = text.split(',').map((id) => id.trim());
  if (ids.length <= MAX_IDS) return ids;
  throw Refusal.invalid({ path: 'ids', message: `must be at most ${MAX_IDS} ids, separated by commas` });
}

interface Search {
  readonly workspaceId: string;
  readonly criteria: Criteria;
  readonly after: string | null;
  readonly limit: number;
}

interface Found {
  readonly endpoints: readonly Endpoint[];
  /** The next page begins after this id; null if there is none. */
  readonly readTo: string | null;
}

async function find(deps: Needs, search: Search): Promise<Found> {
  const { workspaceId, criteria, after, limit } = search;
  if (!matchesAll(criteria)) {
    const { ids, readTo } = await findIds(deps, search);
    // An endpoint that was deleted meanwhile is absent.
    return { endpoints: await deps.endpoints.findSeveral(workspaceId, ids), readTo };
  }
  // The additional row shows whether there is a next page.
  const rows = await deps.endpoints.list(workspaceId, { after, limit: limit + 1 });
  const shown = rows.slice(0, limit);
  return { endpoints: shown, readTo: rows.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

/** Finds the endpoints of a page by the fields that the conditions need. */
async function findIds(deps: Needs, { workspaceId, criteria, after, limit }: Search) {
  const found: string[] = [];
  let position = after;
  let left = MAX_SUBSCRIPTIONS;
  for (let read = 0; read < MAX_READ && left > 0; read += READ_AT_ONCE) {
    const slice = {
      endpointIds: criteria.ids,
      after: position,
      limit: READ_AT_ONCE,
      maxSubscriptions: left,
    };
    const { rows, readTo } = await deps.endpoints.search(workspaceId, slice);
    found.push(...(await matching(deps, rows, criteria)).map(({ id }) => id));
    const ids = found.slice(0, limit);
    if (found.length > limit) return { ids, readTo: ids.at(-1) ?? null };
    if (readTo === null) return { ids, readTo };
    position = readTo;
    left -= countSubscriptions(rows);
  }
  return { ids: found, readTo: position };
}

function matchesAll({ text, metadata, states, ids }: Criteria): boolean {
  return text === null && metadata === null && states === null && ids === null;
}

async function matching(
  deps: Needs,
  endpoints: readonly SearchedEndpoint[],
  { states, ...search }: Criteria,
): Promise<readonly SearchedEndpoint[]> {
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
