/** Calls the REST API as a user's program would. */
export interface Client {
  /** @throws Error with status and body unless the answer is 2xx */
  call<T = Record<string, unknown>>(method: string, path: string, body?: object): Promise<T>;
  /** The response, whatever its status. */
  raw(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ status: number; body: Record<string, unknown> }>;
  /** The same client at another address. */
  at(baseUrl: string): Client;
}

interface ClientOptions {
  readonly baseUrl: string;
  readonly workspace: string;
  readonly token: string;
}

export function clientFor({ baseUrl, workspace, token }: ClientOptions): Client {
  const raw: Client['raw'] = async (method, path, body) => {
    const response = await fetch(`${baseUrl}/workspaces/${workspace}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? {} : JSON.parse(text) };
  };
  return {
    raw,
    async call<T>(method: string, path: string, body?: object) {
      const answer = await raw(method, path, body);
      if (answer.status > 299)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body as T;
    },
    at: (other) => clientFor({ baseUrl: other, workspace, token }),
  };
}
