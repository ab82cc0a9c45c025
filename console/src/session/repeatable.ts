/** What stays the same when a request is repeated. */
export interface Request {
  /** For the parameters of the request. */
  readonly header: { readonly 'Idempotency-Key': string };
  /** When it was sent for the first time. */
  readonly firstSentMs: number;
}

/**
 * Sends requests so that one whose answer was lost can be repeated: until an input has been accepted, it is sent with the same
 * key, for which the api acts once and answers the same.
 */
export function repeatable(begin: () => Request) {
  const begun = new Map<string, Request>();
  return async <Answer>(input: unknown, send: (request: Request) => Promise<Answer>): Promise<Answer> => {
    const name = JSON.stringify(input);
    const request = begun.get(name) ?? begin();
    begun.set(name, request);
    const answer = await send(request);
    begun.delete(name);
    return answer;
  };
}
