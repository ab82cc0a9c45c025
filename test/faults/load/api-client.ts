/** A client of the REST API that logs what was accepted and takes no for an answer. */
export interface ApiClient {
  /** @returns the answer's body, or null when the call was refused, failed or got no answer in time */
  call<T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<T | null>;
}

interface ClientParts {
  /** Ports of the processes that serve now. */
  readonly ports: () => readonly number[];
  readonly workspace: string;
  readonly token: string;
}

const PATIENCE_MS = 12_000;

export function apiClient({ ports, workspace, token }: ClientParts): ApiClient {
  let turn = 0;
  return {
    async call<T>(method: string, path: string, body?: object) {
      const serving = ports();
      turn += 1;
      const port = serving[turn % serving.length];
      try {
        const response = await fetch(`http://127.0.0.1:${port}/workspaces/${workspace}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        const text = await response.text();
        return response.ok ? ((text === '' ? {} : JSON.parse(text)) as T) : null;
      } catch {
        return null;
      }
    },
  };
}

/** Tries until it is accepted. @throws Error when it never was */
export async function insist<T>(client: ApiClient, method: string, path: string, body?: object): Promise<T> {
  for (let tries = 0; tries < 20; tries += 1) {
    const answer = await client.call<T>(method, path, body);
    if (answer !== null) return answer;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error(`${method} ${path} was never accepted`);
}
