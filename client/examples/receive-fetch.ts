import { type HandleDelivery, receive } from '@postrider/client';

/** For servers that take a `Request` and return a `Response`: Hono, Next.js, Deno, Bun and others. */
export function fetchReceiver(secret: string, handle: HandleDelivery) {
  return async (request: Request): Promise<Response> => {
    const { headers } = request;
    const status = await receive({ secret, headers, body: await request.text() }, handle);
    return new Response(null, { status });
  };
}
