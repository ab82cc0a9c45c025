import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ROLES, type Role } from '@postrider/shared/domain/member';
import { toDocument } from '@postrider/shared/mongo/documents';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import type { Problem } from '../../src/contract/problem.js';
import type { Webhook } from '../../src/contract/webhook.js';
import { permissionsOfRole } from '../../src/domain/credential.js';
import { type AuthorizationServer, startAuthorizationServer } from '../access-tokens/authorization-server.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { fetchJson } from '../typed-client.js';
import { assistant } from './mcp-client.js';
import { signIn } from './sign-in.js';

const HOOK = { url: 'https://hooks.example.com/oauth', eventTypes: ['billing.plan_changed'] };
const METADATA = '/.well-known/oauth-protected-resource';

describe('MCP with access tokens', () => {
  let world: ApiWorld;
  let server: AuthorizationServer;
  let origin: string;
  before(async () => {
    server = await startAuthorizationServer();
    origin = `http://127.0.0.1:${await freePort()}`;
    world = await apiWorld({
      PORT: new URL(origin).port,
      MCP_URL: `${origin}/mcp`,
      OAUTH_ISSUER: server.issuer,
      OAUTH_SCOPES: 'read,webhook:create',
    });
  });
  after(async () => {
    await world?.destroy();
    await server?.close();
  });

  /** Makes a member, who is also the user of the authorization server. */
  const member = async (role: Role) => {
    const id = newId('member');
    const email = `${id}@example.com`;
    await world.database.collections.members.insertOne(
      toDocument({ id, workspaceId: world.workspace.id, email, role }),
    );
    server.user = { email, email_verified: true, postrider_workspace: world.workspace.slug };
    return id;
  };
  const tokenOf = (scope: string, claims: JWTPayload = {}) =>
    server.key.sign({ ...server.claims(`${origin}/mcp`, scope), ...claims });
  const post = (token: string | null, method: string, params: object = {}, path = '/mcp') =>
    fetchJson<Problem>(`${origin}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
  const tools = async (token: string) => {
    const { body } = await post(token, 'tools/list');
    return (body as unknown as { result: { tools: { name: string }[] } }).result.tools.map(
      ({ name }) => name,
    );
  };
  const refusal = async (token: string, tool: string) => {
    const { body } = await post(token, 'tools/call', { name: tool, arguments: {} });
    const { result } = body as unknown as { result: { content: [{ text: string }] } };
    return JSON.parse(result.content[0].text) as Problem;
  };

  it('lets the official client find the authorization server, sign in and act as the member', async () => {
    const id = await member('member');
    const { client, use, refused, close } = await signIn(origin);
    const [authorization, exchange] = server.asked;
    expect(authorization).to.include({ resource: `${origin}/mcp`, scope: 'read webhook:create' });
    expect(exchange).to.include({ resource: `${origin}/mcp`, grant_type: 'authorization_code' });
    const listed = (await client.listTools()).tools.map(({ name }) => name);
    expect(listed).to.include.members(['create_webhook', 'list_members']);
    expect(listed).to.not.include.members(['update_webhook', 'remove_member']);
    const { result } = await use<Webhook>('create_webhook', HOOK);
    const [entry] = await world.audits(result.id);
    expect(entry!.actor).to.deep.equal({ type: 'member', id });
    expect((await refused('remove_member', { memberId: id })).tag).to.equal('Forbidden');
    await client.callTool({ name: 'update_webhook', arguments: { endpointId: result.id } }).catch(() => {});
    expect(server.asked.at(-1)).to.include({ scope: 'read webhook:create webhook:update' });
    await close();
    const lines = world.log.lines.filter(({ facts }) => facts.event === 'http.request');
    expect(lines.map(({ facts }) => facts.actorId)).to.include(id);
    expect(JSON.stringify(world.log.lines)).to.not.match(/eyJ/);
  });

  it('describes the resource at both well-known paths', async () => {
    for (const path of [METADATA, `${METADATA}/mcp`]) {
      const { status, body } = await fetchJson<object>(`${origin}${path}`);
      expect([status, body]).to.deep.equal([
        200,
        {
          resource: `${origin}/mcp`,
          resource_name: 'Postrider',
          authorization_servers: [server.issuer],
          scopes_supported: ['read', 'webhook:create'],
          bearer_methods_supported: ['header'],
        },
      ]);
    }
  });

  it('challenges requests without a valid token', async () => {
    const where = `resource_metadata="${origin}${METADATA}/mcp", scope="read webhook:create"`;
    const none = await post(null, 'tools/list');
    expect([none.status, none.headers.get('www-authenticate')]).to.deep.equal([401, `Bearer ${where}`]);
    await member('owner');
    for (const token of [await tokenOf('admin', { aud: 'https://other.example.com' }), 'prt_unknown']) {
      const { status, headers } = await post(token, 'tools/list');
      const challenge = headers.get('www-authenticate');
      expect([status, challenge]).to.deep.equal([401, `Bearer error="invalid_token", ${where}`]);
    }
  });

  for (const role of ROLES)
    it(`permits what both the scopes and the role ${role} permit`, async () => {
      await member(role);
      const listed = await tools(await tokenOf('admin'));
      const permitted = permissionsOfRole(role);
      expect(listed.includes('update_webhook')).to.equal(permitted.has('webhook:update'));
      expect(listed.includes('change_plan')).to.equal(permitted.has('billing:update'));
      expect(await tools(await tokenOf('webhook:test'))).to.have.length(
        permitted.has('webhook:test') ? 2 : 0,
      );
    });

  it('asks for a token with more scopes where the role permits a tool', async () => {
    await member('member');
    const token = await tokenOf('read');
    const { status, headers, body } = await post(token, 'tools/call', {
      name: 'create_webhook',
      arguments: HOOK,
    });
    expect([status, body.tag]).to.deep.equal([403, 'InsufficientScope']);
    expect(headers.get('www-authenticate')).to.equal(
      `Bearer error="insufficient_scope", scope="read webhook:create", resource_metadata="${origin}${METADATA}/mcp"`,
    );
    expect((await refusal(token, 'remove_member')).tag).to.equal('Forbidden');
    const none = await post(await tokenOf('openid profile'), 'tools/list');
    expect([none.status, none.body.tag]).to.deep.equal([403, 'InsufficientScope']);
  });

  for (const [what, role, scope, needed, method, params] of [
    [
      'a second permission of a tool',
      'admin',
      'write',
      'write member:update',
      'tools/call',
      { name: 'invite_member', arguments: { email: 'second@example.com', role: 'admin' } },
    ],
    [
      'a resource',
      'viewer',
      'webhook:list',
      'webhook:list event_type:list',
      'resources/read',
      { uri: 'postrider://event-types' },
    ],
  ] as const)
    it(`asks for a token with more scopes where the role permits ${what}`, async () => {
      await member(role);
      const { status, headers, body } = await post(await tokenOf(scope), method, params);
      expect([status, body.tag]).to.deep.equal([403, 'InsufficientScope']);
      expect(headers.get('www-authenticate')).to.include(`error="insufficient_scope", scope="${needed}"`);
    });

  it('asks for no scopes that the role does not permit', async () => {
    await member('member');
    const given = { email: 'third@example.com', role: 'admin' };
    const { status, body } = await post(await tokenOf('write'), 'tools/call', {
      name: 'invite_member',
      arguments: given,
    });
    expect(status).to.equal(200);
    expect(body).to.have.nested.property('result.content[0].text').that.includes('Forbidden');
  });

  it('makes no tokens and no portal links', async () => {
    await member('owner');
    const token = await tokenOf('admin');
    const listed = await tools(token);
    for (const tool of ['create_api_token', 'create_portal_link']) {
      expect(listed).to.not.include(tool);
      expect((await refusal(token, tool)).tag).to.equal('Forbidden');
    }
  });

  it('follows the role at once, and ends with the membership', async () => {
    const id = await member('viewer');
    const token = await tokenOf('admin');
    expect(await tools(token)).to.not.include('create_webhook');
    const { members } = world.database.collections;
    await members.updateOne({ _id: id }, { $set: { role: 'member' } });
    expect(await tools(token)).to.include('create_webhook');
    await members.deleteOne({ _id: id });
    const { status, headers, body } = await post(token, 'tools/list');
    expect([status, body.tag, headers.get('www-authenticate')]).to.deep.equal([403, 'NotAMember', null]);
  });

  it('belongs to one workspace: a member of another one is none of this', async () => {
    await member('owner');
    const other = await world.addWorkspace(`other-${newId('event').slice(-6)}`);
    const { body } = await post(await tokenOf('admin', { postrider_workspace: other.slug }), 'tools/list');
    expect(body.tag).to.equal('NotAMember');
  });

  it('leaves API tokens as they are, and the REST API without access tokens', async () => {
    const { secret } = await world.as(['admin']);
    const admin = await assistant(origin, secret);
    expect((await admin.client.listTools()).tools.map(({ name }) => name)).to.include('create_api_token');
    await admin.close();
    await member('owner');
    const headers = { authorization: `Bearer ${await tokenOf('admin')}` };
    const rest = await fetchJson<Problem>(`${origin}/workspaces/acme/webhooks`, { headers });
    expect([rest.status, rest.headers.get('www-authenticate')]).to.deep.equal([401, 'Bearer']);
  });

  it('takes no token from the query', async () => {
    await member('owner');
    const { status } = await post(null, 'tools/list', {}, `/mcp?access_token=${await tokenOf('admin')}`);
    expect(status).to.equal(401);
  });

  it('counts refused access tokens by reason', async () => {
    await eventually(async () => {
      const answer = await fetch(`http://127.0.0.1:${world.api.metricsPort}/metrics`);
      const text = await answer.text();
      for (const reason of ['audience', 'scope', 'member'])
        expect(text).to.match(
          new RegExp(`postrider_access_tokens_refused_total\\{reason="${reason}"\\} [1-9]`),
        );
    });
  });
});

/** The public URL is configured before the api starts. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
