import type { IocContainerFactory } from '@tsoa/runtime';
import type { Request } from 'express';

type Constructor = new (request: Request) => unknown;

/** The generated routes ask here for a controller: one for each request. */
export const iocContainer: IocContainerFactory<Request> = (request) => ({
  get: <T>(Controller: unknown) => new (Controller as Constructor)(request) as T,
});
