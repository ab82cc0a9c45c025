import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { expect } from 'chai';
import { type Assistant, assistantOf } from './mcp-client.js';

const REDIRECT = 'http://127.0.0.1/callback';

/**
 * Connects the official client without a token. It has to discover where to get one, and the browser of its
 * user is a request that the authorization server redirects.
 */
export async function signIn(origin: string): Promise<Assistant> {
  let code = '';
  let verifier = '';
  let tokens: OAuthTokens | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl: REDIRECT,
    clientMetadata: { redirect_uris: [REDIRECT] },
    clientInformation: () => ({ client_id: 'assistant' }),
    tokens: () => tokens,
    saveTokens(received) {
      tokens = received;
    },
    codeVerifier: () => verifier,
    saveCodeVerifier(given) {
      verifier = given;
    },
    async redirectToAuthorization(url) {
      const { headers } = await fetch(url, { redirect: 'manual' });
      code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
    },
  };
  const connect = async () => {
    const client = new Client({ name: 'test', version: '1.0.0' });
    const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { authProvider: provider });
    // The transport's optional session id conflicts with exactOptionalPropertyTypes.
    const error = await client.connect(transport as Parameters<Client['connect']>[0]).catch(String);
    return { client, transport, error };
  };
  const first = await connect();
  expect(first.error).to.equal(String(new UnauthorizedError()));
  await first.transport.finishAuth(code);
  const second = await connect();
  expect(second.error).to.equal(undefined);
  return assistantOf(second.client);
}
