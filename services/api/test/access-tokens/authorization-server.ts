import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JWTPayload } from 'jose';
import { type TestKey, testKey } from './test-key.js';

/** An authorization server in this process: metadata, keys, and the code flow with PKCE, in which its user consents to all. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly key: TestKey;
  /** The claims about the user who signs in. */
  user: JWTPayload;
  /** The parameters of the requests for authorization and tokens, in order. */
  readonly asked: Readonly<Record<string, string>>[];
  /** The claims of a valid access token for this user. */
  claims(resource: string, scope: string): JWTPayload;
  close(): Promise<void>;
}

interface Grant {
  readonly challenge: string;
  readonly resource: string;
  readonly scope: string;
}

export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const key = await testKey('k1');
  const grants = new Map<string, Grant>();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const self: AuthorizationServer = {
    issuer,
    key,
    user: {},
    asked: [],
    claims: (resource, scope) => {
      const now = Math.floor(Date.now() / 1_000);
      return { iss: issuer, aud: resource, sub: 'user-1', iat: now, exp: now + 300, scope, ...self.user };
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const metadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', issuer);
    const json = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    switch (pathname) {
      case '/.well-known/oauth-authorization-server':
        return json(200, metadata);
      case '/keys':
        return json(200, { keys: [key.publicJwk] });
      case '/authorize':
        response.writeHead(302, { location: authorize(Object.fromEntries(searchParams)) }).end();
        return;
      case '/token': {
        const token = await exchange(Object.fromEntries(new URLSearchParams(await text(request))));
        return token === null ? json(400, { error: 'invalid_grant' }) : json(200, token);
      }
      default:
        return json(404, {});
    }
  }

  function authorize(asked: Record<string, string>): string {
    const {
      redirect_uri = '',
      code_challenge: challenge = '',
      resource = '',
      scope = '',
      state = '',
    } = asked;
    const code = randomUUID();
    self.asked.push(asked);
    grants.set(code, { challenge, resource, scope });
    return `${redirect_uri}?${new URLSearchParams({ code, state })}`;
  }

  async function exchange(asked: Record<string, string>): Promise<object | null> {
    const { code = '', code_verifier: verifier = '', resource = '' } = asked;
    const grant = grants.get(code);
    self.asked.push(asked);
    grants.delete(code);
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    if (grant === undefined || grant.challenge !== challenge || grant.resource !== resource) return null;
    const token = await key.sign(self.claims(resource, grant.scope));
    return { access_token: token, token_type: 'Bearer', expires_in: 300, scope: grant.scope };
  }

  return self;
}
