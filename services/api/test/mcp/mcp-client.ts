import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect } from 'chai';
import type { Problem } from '../../src/contract/problem.js';

/** The result of a tool: structured and as text. */
export interface ToolAnswer<T> {
  readonly result: T;
  readonly text: string;
}

/** The official client with one token. */
export interface Assistant {
  readonly client: Client;
  /** Calls a tool that must succeed. */
  use<T>(name: string, input?: Record<string, unknown>): Promise<ToolAnswer<T>>;
  /** Calls a tool that must refuse. */
  refused(name: string, input?: Record<string, unknown>): Promise<Problem>;
  close(): Promise<void>;
}

export async function assistant(origin: string, secret: string): Promise<Assistant> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const headers = { authorization: `Bearer ${secret}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit: { headers } });
  // The transport's optional session id conflicts with exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return assistantOf(client);
}

/** The official client that is connected already. */
export function assistantOf(client: Client): Assistant {
  const call = async (name: string, input: Record<string, unknown>) => {
    const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: input });
    const [{ text }] = content as [{ text: string }];
    return { isError, text, structuredContent };
  };
  return {
    client,
    async use<T>(name: string, input: Record<string, unknown> = {}) {
      const { isError, text, structuredContent } = await call(name, input);
      expect(isError, text).to.equal(false);
      if (structuredContent !== undefined) expect(JSON.parse(text)).to.deep.equal(structuredContent);
      return { result: structuredContent as T, text };
    },
    async refused(name, input = {}) {
      const { isError, text, structuredContent } = await call(name, input);
      expect([isError, structuredContent]).to.deep.equal([true, undefined]);
      return JSON.parse(text);
    },
    close: () => client.close(),
  };
}
