import { poll } from '#dev/processes/poll';

/** A client of the REST API that expects refusals and failures. */
export interface ApiClient {
  /** @returns the answer's body, or null if the call was refused, failed or timed out */
  call<T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<T | null>;
}

interface ClientParts {
  /** Ports of the api processes; calls alternate between them. */
  readonly ports: () => readonly number[];
  readonly workspace: string;
  readonly token: string;
}

const TIMEOUT_MS = 12_000;

export function createApiClient({ ports, workspace, token }: ClientParts): ApiClient {
  let calls = 0;
  return {
    async call<T>(method: string, path: string, body?: object) {
      calls += 1;
      const port = ports()[calls % ports().length];
      try {
        const response = await fetch(`http://127.0.0.1:${port}/workspaces/${workspace}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const text = await response.text();
        return response.ok ? ((text === '' ? {} : JSON.parse(text)) as T) : null;
      } catch {
        return null;
      }
    },
  };
}

/** Repeats a call until it is accepted. */
export const callUntilAccepted = <T extends object>(
  client: ApiClient,
  method: string,
  path: string,
  body?: object,
): Promise<T> =>
  poll(async () => (await client.call<T>(method, path, body)) ?? undefined, {
    everyMs: 250,
    timeoutMs: 60_000,
    what: `the acceptance of ${method} ${path}`,
  });
