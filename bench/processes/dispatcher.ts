import { type Service, type ServiceStart, startService } from './service.js';

export type Dispatcher = Service;

/** The heap that Node allows itself in a container of 512 MB, as a deployment has it: a large machine's says nothing. */
const HEAP = '--max-old-space-size=256';

/** Starts a dispatcher and resolves once it consumes. */
export const startDispatcher = (start: Omit<ServiceStart, 'service'>): Promise<Dispatcher> =>
  startService({ ...start, service: 'dispatcher', nodeArgs: [HEAP, ...start.nodeArgs] });
