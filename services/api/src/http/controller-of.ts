import type { IocContainerFactory } from '@tsoa/runtime';
import type { Request } from 'express';
import type { Call } from '../operations/call.js';
import type { Operations } from '../operations.js';
import { callOf } from './exchange.js';

type Constructor = new (call: Call, operations: Operations) => unknown;

/** The generated routes ask here for a controller: one for each request, made of its call and the operations. */
export const iocContainer: IocContainerFactory<Request> = (request) => ({
  get: <T>(Controller: unknown) =>
    new (Controller as Constructor)(callOf(request), request.app.locals.operations) as T,
});
