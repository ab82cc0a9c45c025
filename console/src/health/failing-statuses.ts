/** The deliveries whose attempts make an endpoint fail, as a filter: those that are retried, and those that have ended. */
export const FAILING_STATUSES = 'failed,failed_permanent,dead_lettered';
