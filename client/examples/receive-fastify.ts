import { type HandleDelivery, receive } from '@postrider/client';
import type { FastifyInstance } from 'fastify';

/** A plugin: `app.register(fastifyReceiver(secret, handle))`. Parsers that it changes are its own. */
export const fastifyReceiver = (secret: string, handle: HandleDelivery) => async (app: FastifyInstance) => {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body);
  app.post<{ Body?: Buffer }>('/hook', async ({ headers, body = '' }, reply) =>
    reply.code(await receive({ secret, headers, body }, handle)).send(),
  );
};
