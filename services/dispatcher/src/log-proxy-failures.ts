import type { Log } from '@postrider/shared/ports/log';
import { createLogThrottle } from '@postrider/shared/runtime/log-throttle';
import { type ProxyFailure, ProxyRefused } from './post/failure.js';

interface ProxyLogParts {
  readonly log: Pick<Log, 'warn'>;
  readonly monotonicMs: () => number;
}

const MAX_REASONS = 100;
/** With these a proxy answers where it does not reach a receiver, and others where its own rules refuse the tunnel. */
const FIRST_SERVER_ERROR = 500;

/** Logs why the forward proxy opens no tunnels, each reason once a minute, except for receivers that it does not reach. */
export function logProxyFailures({ log, monotonicMs }: ProxyLogParts): (failure: ProxyFailure) => void {
  const mayLog = createLogThrottle({ monotonicMs, maxKeys: MAX_REASONS });
  return (failure) => {
    if (failure instanceof ProxyRefused && (failure.status ?? FIRST_SERVER_ERROR) >= FIRST_SERVER_ERROR)
      return;
    const { message: reason } = failure;
    if (mayLog(reason))
      log.warn({ event: 'egress.proxy_failed', reason }, 'the forward proxy did not open a connection');
  };
}
