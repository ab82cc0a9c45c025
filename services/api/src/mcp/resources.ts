import type { Resource, ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';
import type { OpenApiDocument } from '../document/openapi.js';
import { readGuide } from '../document/read-guide.js';
import { resolveSchema } from '../document/resolve-schema.js';
import { requireAccess } from '../http/require-access.js';
import type { Call } from '../operations/call.js';
import { compactSchema } from './compact-schema.js';
import { isListed } from './is-listed.js';
import type { Tool, Tools } from './tools.js';

/** The resources that an assistant may read besides the results of tools. */
export interface Resources {
  /** Lists the resources that the caller may read. */
  list(call: Call): Resource[];
  templates(): ResourceTemplate[];
  /** Null for a resource that does not exist. @throws Refusal if the caller may not read it */
  read(uri: string, call: Call): Promise<Content | null>;
}

interface Content {
  readonly mimeType: string;
  readonly text: string;
}

const SCHEME = 'postrider://';
const MARKDOWN = 'text/markdown';
const JSON_TYPE = 'application/json';
const CATALOGUE = `${SCHEME}event-types`;
const SCHEMAS = `${SCHEME}schemas/`;
const PAGE = 100;

/** Pages of the guide that answer questions of users. */
const GUIDES = {
  support: 'Answering support questions',
  receiving: 'Receiving webhooks and verifying signatures',
  'endpoint-options': 'Options of endpoints: filters, headers, rate, signatures',
  publishing: 'Publishing events',
  'event-catalogue': 'Defining event types',
  streams: 'Streams of outcomes',
} as const;

export function createResources(document: OpenApiDocument, tools: Tools): Resources {
  const listEventTypes = tools.get('list_event_types');
  const schemas = document.components.schemas;
  const guides: Resource[] = Object.entries(GUIDES).map(([name, title]) => {
    return { uri: `${SCHEME}guide/${name}`, name, title, mimeType: MARKDOWN };
  });
  const catalogue: Resource = {
    uri: CATALOGUE,
    name: 'event-types',
    title: 'The event types of this installation, with schemas and examples',
    mimeType: JSON_TYPE,
  };
  const readers: readonly ((uri: string, call: Call) => Promise<Content | null>)[] = [
    async (uri) => {
      const guide = guides.find((one) => one.uri === uri);
      if (guide === undefined) return null;
      return { mimeType: MARKDOWN, text: readGuide(guide.name) };
    },
    async (uri) => {
      const name = uri.startsWith(SCHEMAS) ? uri.slice(SCHEMAS.length) : '';
      const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
      return schema === undefined ? null : jsonContent(compactSchema(resolveSchema(document, schema)));
    },
    async (uri, call) => {
      if (uri !== CATALOGUE || listEventTypes === undefined) return null;
      requireAccess(listEventTypes, call);
      return jsonContent(await allEventTypes(listEventTypes, call));
    },
  ];
  return {
    list: (call) => {
      const mayRead = listEventTypes !== undefined && isListed(listEventTypes, call);
      return [...guides, ...(mayRead ? [catalogue] : [])];
    },
    templates: () => [
      {
        uriTemplate: `${SCHEMAS}{name}`,
        name: 'schemas',
        title: 'The JSON Schema of a result, like Delivery or Webhook',
        mimeType: JSON_TYPE,
      },
    ],
    async read(uri, call) {
      for (const reader of readers) {
        const content = await reader(uri, call);
        if (content !== null) return content;
      }
      return null;
    },
  };
}

const jsonContent = (value: unknown): Content => ({ mimeType: JSON_TYPE, text: JSON.stringify(value) });

/** The catalogue has a limited number of types. */
async function allEventTypes(tool: Tool, call: Call): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let cursor: string | null = null;
  do {
    const input = { limit: PAGE, ...(cursor !== null && { cursor }) };
    const page = (await tool.run(call, input)) as { items: unknown[]; nextCursor: string | null };
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}
