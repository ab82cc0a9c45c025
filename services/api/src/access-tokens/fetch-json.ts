const MAX_BYTES = 256 * 1_024;

/**
 * Fetches a JSON document of the authorization server. Redirects are not followed.
 *
 * @returns null if there is no such document (any status from 400 to 499)
 * @throws Error for any other status but 200, for more than 256 KiB, for invalid JSON, and if the server is unreachable
 */
export async function fetchJson(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } });
  if (response.status !== 200) {
    await response.body?.cancel();
    if (response.status >= 400 && response.status < 500) return null;
    throw new Error(`${url} answered with the status ${response.status}`);
  }
  return JSON.parse(await limitedText(response, url));
}

async function limitedText({ body }: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`${url} answered with more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
