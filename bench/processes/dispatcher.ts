import { type Service, type ServiceStart, startService } from './service.js';

export type Dispatcher = Service;

/** Starts a dispatcher and resolves once it consumes. */
export const startDispatcher = (start: Omit<ServiceStart, 'service'>): Promise<Dispatcher> =>
  startService({ ...start, service: 'dispatcher' });
