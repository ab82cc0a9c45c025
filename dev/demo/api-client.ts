/** Talks to the api with one token. */
export interface ApiClient {
  get<T>(path: string): Promise<T>;
  /** @param body left out for requests without one */
  send<T>(method: 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<T>;
}

const TIMEOUT_MS = 15_000;

/** @throws Error naming the request and what the api answered, for every answer but 2xx */
export function createApiClient(apiUrl: string, token: string): ApiClient {
  const request = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(apiUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return { get: (path) => request('GET', path), send: request };
}
