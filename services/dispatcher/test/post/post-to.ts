import type { Posted, Poster, PostRequest } from '../../src/ports/poster.js';

export const CALLER = { workspaceId: 'ws_1', endpointId: 'whe_1' } as const;

export function requestTo(url: string, endpointId: string = CALLER.endpointId): PostRequest {
  return { ...CALLER, endpointId, url, headers: {}, body: '{}' };
}

/** POSTs and expects that a request is sent, or fails to be. */
export async function postTo(
  poster: Poster,
  { url, endpointId }: { readonly url: string; readonly endpointId?: string },
): Promise<Posted> {
  const result = await poster.post(requestTo(url, endpointId));
  if (result.kind !== 'posted') throw new Error(`not posted: ${JSON.stringify(result)}`);
  return result;
}
