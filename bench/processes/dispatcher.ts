import { type Service, type ServiceStart, startService } from './service.js';

export type Dispatcher = Service;

/** As in the image. */
export const NODE_ARGS = ['--max-semi-space-size=16', '--max-old-space-size=2048'];

/** Starts a dispatcher and resolves once it consumes. */
export const startDispatcher = (start: Omit<ServiceStart, 'service'>): Promise<Dispatcher> =>
  startService({ ...start, service: 'dispatcher', nodeArgs: [...NODE_ARGS, ...start.nodeArgs] });
