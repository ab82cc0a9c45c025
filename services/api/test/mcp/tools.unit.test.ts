import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { boundOperations } from '../../src/document/bound-operations.js';
import { METHODS, type OpenApiDocument, type Operation, type Parameter } from '../../src/document/openapi.js';
import { readDocument } from '../../src/document/read-document.js';
import { resolveSchema } from '../../src/document/resolve-schema.js';
import { createResources } from '../../src/mcp/resources.js';
import { toolsOf } from '../../src/mcp/tools.js';
import type { Call } from '../../src/operations/call.js';
import type { Deps } from '../../src/operations/deps.js';
import { createInputRules } from '../../src/operations/input-rules.js';
import { createOperations } from '../../src/operations/operations.js';
import { serveApp } from './serve-app.js';

const GUIDE = new URL('../../../../../docs/mcp.md', import.meta.url);
const document: OpenApiDocument = readDocument();
const known = createOperations(
  { clock: { now: () => new Date() } } as unknown as Deps,
  async () => new Map(),
);
const sets = { all: known, limitedTo: () => known, rules: createInputRules({} as Deps) };
const tools = toolsOf(document, boundOperations(document, sets));
/** The POSTs that make or replace a credential, or end something. */
const DESTRUCTIVE = [
  'rotate_webhook_secret',
  'create_api_token',
  'create_portal_link',
  'invite_member',
  'cancel_replay_job',
];
const MAX_BYTES = 30 * 1_024;
const declared = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => {
    const operation: Operation | undefined = item[method];
    return operation?.['x-mcp-tool'] === undefined ? [] : [{ path, method, operation }];
  }),
);

describe('MCP tools', () => {
  it('are the operations that declare one', () => {
    expect([...tools.keys()].sort()).to.deep.equal(
      declared.map(({ operation }) => operation['x-mcp-tool']).sort(),
    );
  });

  it('are listed in the guide with their permissions', () => {
    const [, section = ''] = readFileSync(GUIDE, 'utf8').split('\n## Tools\n');
    const listed = [...section.split('\n## ')[0]!.matchAll(/^\| `(\w+)` \| `([\w:]+)` \|/gm)];
    const expected = declared.map(({ operation }) => {
      return `${operation['x-mcp-tool']} ${Object.values(operation.security?.[0] ?? {}).flat()}`;
    });
    expect(listed.map(([, tool, permission]) => `${tool} ${permission}`).sort()).to.deep.equal(
      expected.sort(),
    );
  });

  it('have self-contained input schemas without the workspace', () => {
    for (const { name, input, listing } of tools.values()) {
      expect(JSON.stringify([input.schema, listing]), name).to.not.include('$ref');
      expect(input.schema.properties, name).to.not.have.any.keys('slug', 'Idempotency-Key');
      expect(input.schema.additionalProperties, name).to.equal(false);
      expect(listing.title, name).to.not.equal(name);
    }
  });

  it('declare which are read-only, destructive and idempotent', () => {
    for (const { path, method, operation } of declared) {
      const { annotations } = tools.get(operation['x-mcp-tool']!)!.listing;
      expect(annotations, `${method} ${path}`).to.deep.equal({
        readOnlyHint: method === 'get',
        destructiveHint: method === 'post' ? DESTRUCTIVE.includes(operation.operationId) : method !== 'get',
        idempotentHint: method !== 'post',
      });
    }
  });

  it('that create something take an idempotency key, and no others', () => {
    for (const { method, operation } of declared)
      expect(tools.get(operation['x-mcp-tool']!)!.takesKey, operation.operationId).to.equal(
        method === 'post',
      );
  });

  it('that have a result are those that do not answer 204', () => {
    for (const { operation } of declared)
      expect(tools.get(operation['x-mcp-tool']!)!.hasResult, operation.operationId).to.equal(
        !('204' in operation.responses),
      );
  });

  it('that show what others wrote are those of deliveries, attempts, endpoints, events and audit entries', () => {
    const showing = [...tools.values()].filter(({ showsOthersText }) => showsOthersText);
    expect(showing.map(({ name }) => name)).to.have.members([
      'list_deliveries',
      'list_webhook_deliveries',
      'get_webhook_delivery',
      'list_webhook_delivery_attempts',
      'replay_webhook_delivery',
      'send_webhook_test_event',
      'list_webhooks',
      'get_webhook',
      'create_webhook',
      'update_webhook',
      'explain_event',
      'list_audit_events',
      // Its URL is Postrider's own.
      'create_portal_link',
    ]);
  });

  it('accept path, query and body parameters as one flat object', () => {
    const update = tools.get('update_webhook')!.input.schema;
    expect(Object.keys(update.properties)).to.deep.equal([
      'endpointId',
      'headers',
      'metadata',
      'ratePerSecond',
      'filter',
      'signing',
      'url',
      'eventTypes',
      'description',
      'enabled',
      'recovery',
      'replayHeld',
    ]);
    expect(update.required).to.deep.equal(['endpointId']);
    expect(tools.get('create_webhook')!.input.schema.required).to.have.members(['url', 'eventTypes']);
    expect(Object.keys(tools.get('list_webhooks')!.input.schema.properties)).to.deep.equal([
      'limit',
      'cursor',
      'state',
      'text',
      'metadata',
      'health',
      'ids',
    ]);
  });

  it('fail at start for a declared operation that does not exist', () => {
    const { get_webhook: _, ...rest } = known;
    expect(() => boundOperations(document, { ...sets, all: rest as typeof known })).to.throw('get_webhook');
  });
});

describe('MCP resources of schemas', () => {
  const { read } = createResources(document, tools);

  for (const name of Object.keys(document.components.schemas))
    it(`declare the required properties of ${name}`, async () => {
      const content = await read(`postrider://schemas/${name}`, {} as Call);
      expect(undeclared(JSON.parse(content!.text))).to.deep.equal([]);
    });

  it('leave out examples, but no property with that name', async () => {
    const content = await read('postrider://schemas/EventTypeInfo', {} as Call);
    const { properties, ...rest } = JSON.parse(content!.text);
    expect(properties).to.include.keys('example');
    expect(rest).to.not.have.any.keys('example', 'examples');
  });
});

/** The required properties that an object without others does not declare, in all parts of a schema. */
function undeclared(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { required, properties, additionalProperties } = part as Record<string, unknown>;
  const names = Array.isArray(required) && additionalProperties === false ? (required as string[]) : [];
  const missing = names.filter((name) => !Object.hasOwn((properties as object | undefined) ?? {}, name));
  return [...missing, ...Object.values(part).flatMap(undeclared)];
}

describe('MCP tool and REST route', () => {
  const served = serveApp();

  it('are all listed in less than 30 KB, with true hints and without schemas of results', async () => {
    const listed = await served.admin.client.listTools();
    expect(listed.tools).to.have.length(tools.size);
    expect(Buffer.byteLength(JSON.stringify(listed))).to.be.below(MAX_BYTES);
    const create = listed.tools.find(({ name }) => name === 'create_webhook')!;
    expect(create.inputSchema.properties).to.have.any.keys('idempotencyKey');
    expect(create.outputSchema).to.equal(undefined);
    expect(JSON.stringify(create)).to.not.match(/examples|int32|Construct a type/);
  });

  for (const { path, method, operation } of declared) {
    it(`pass the same input to ${operation.operationId}`, async () => {
      const parameters = operation.parameters.filter(
        (one): one is Parameter => 'in' in one && one.in !== 'header',
      );
      const named = Object.fromEntries(parameters.map(({ name, schema }) => [name, exampleOf(schema)]));
      const query = parameters
        .filter((one) => one.in === 'query')
        .map(({ name }) => [name, String(named[name])] as [string, string]);
      const media = operation.requestBody?.content['application/json'];
      const body = media && exampleOf(media.schema);
      const url = path
        .replace('{slug}', 'acme')
        .replace(/\{(\w+)\}/g, (_, name: string) => String(named[name]));
      await served.app.send(`${url}?${new URLSearchParams(query)}`, {
        method: method.toUpperCase(),
        ...(media && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
      });
      await served.admin.client
        .callTool({ name: operation['x-mcp-tool']!, arguments: { ...named, ...(body as object) } })
        .catch(() => {});
      expect(served.app.ran).to.have.length(2);
      const [byRoute, byTool] = served.app.ran;
      expect(byTool!.operation).to.equal(byRoute!.operation);
      expect(byTool!.input ?? {}).to.deep.equal(byRoute!.input ?? {});
    });
  }
});

function exampleOf(schema: object): unknown {
  const resolved = resolveSchema(document, schema as Record<string, unknown>) as {
    examples?: unknown[];
    enum?: unknown[];
    anyOf?: object[];
    type?: unknown;
    format?: string;
  };
  if (resolved.examples) return resolved.examples[0];
  if (resolved.anyOf) return exampleOf(resolved.anyOf[0]!);
  if (resolved.enum) return resolved.enum[0];
  if (resolved.format === 'date-time') return '2026-03-01T12:00:00.000Z';
  if (resolved.type === 'boolean') return true;
  return resolved.type === 'number' ? 7 : 'some_text';
}
