import { isPostponed, type Poster, type PostResult } from '../../src/ports/poster.js';

export const CALLER = { workspaceId: 'ws_1', endpointId: 'whe_1' } as const;

/** POSTs and expects an attempt. */
export async function postTo(
  poster: Poster,
  { url, endpointId = CALLER.endpointId }: { readonly url: string; readonly endpointId?: string },
): Promise<PostResult> {
  const result = await poster.post({ ...CALLER, endpointId, url, headers: {}, body: '{}' });
  if (isPostponed(result)) throw new Error(`postponed for ${result.postponedMs} ms`);
  return result;
}
