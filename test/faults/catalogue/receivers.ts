import { fileURLToPath } from 'node:url';
import type { Fault } from '../fault.js';
import { STEADY } from '../load/population.js';
import { OK } from '../load/receiver.js';
import {
  expectReasons,
  HOSTILE,
  keepEnabled,
  NAME_SERVER_PORT,
  REASONS,
  withNameServer,
} from '../steps/failing-receivers.js';
import { addEndpoints, answer, paths, pause } from '../steps/frequent.js';

const USE_NAME_SERVER = '../../../../bench/dist/processes/use-name-server.js';

const well = () => OK;

export const RECEIVERS: readonly Fault[] = [
  {
    number: 14,
    name: 'one endpoint of twenty accepts requests and never answers',
    quick: true,
    healthy: STEADY,
    overloaded: ['/black-hole'],
    prepare: addEndpoints(['/black-hole', ...paths('/sibling', 13)], well),
    steps: [answer(['/black-hole'], () => 'silence'), pause(40)],
  },
  {
    number: 15,
    name: `${Object.keys(HOSTILE).length} receivers violate HTTP in different ways`,
    healthy: STEADY,
    overloaded: Object.keys(HOSTILE).filter((path) => HOSTILE[path]?.end !== true),
    // A server that keeps a connection open without another answer harms all endpoints of its origin.
    prepare: addEndpoints(Object.keys(HOSTILE), well, ({ receiver }) => receiver.otherUrl),
    steps: [
      ...Object.entries(HOSTILE).map(([path, raw]) => answer([path], () => raw)),
      keepEnabled(Object.keys(HOSTILE)),
    ],
  },
  {
    number: 16,
    name: 'an endpoint answers well, but handles only a tenth of its load',
    rate: 20,
    healthy: STEADY,
    overloaded: ['/slow'],
    prepare: addEndpoints(['/slow'], well),
    steps: [answer(['/slow'], () => ({ ...OK, delayMs: 2_000 })), pause(40), answer(['/slow'], well)],
  },
  {
    number: 17,
    name: 'connections are reset or refused, TLS and DNS fail, requests time out or are redirected',
    healthy: STEADY,
    // A failed lookup is one attempt, and all other deliveries of the endpoint wait for the next one.
    overloaded: ['/mute', '/unanswered', '/unnamed'],
    settings: () => ({
      EGRESS_ALLOW_HOSTS: 'silent.faults.test,missing.faults.test',
      BENCH_NAME_SERVER: `127.0.0.1:${NAME_SERVER_PORT}`,
    }),
    nodeArgs: ['--import', fileURLToPath(new URL(USE_NAME_SERVER, import.meta.url))],
    prepare: addEndpoints(['/reset', '/moved', '/mute'], well),
    steps: [
      withNameServer(
        answer(['/reset'], () => 'reset'),
        answer(['/moved'], () => ({ status: 302 })),
        answer(['/mute'], () => 'silence'),
        // The api answers a TLS handshake with a plain 400.
        addEndpoints(
          ['/tls'],
          well,
          ({ services }) => `https://127.0.0.1:${services.running('api')[0]?.port()}`,
        ),
        addEndpoints(['/refused'], well, () => 'http://127.0.0.1:9'),
        addEndpoints(['/unanswered'], well, () => 'http://silent.faults.test'),
        addEndpoints(['/unnamed'], well, () => 'http://missing.faults.test'),
        keepEnabled(Object.keys(REASONS)),
        answer(['/mute'], well),
      ),
      expectReasons,
    ],
  },
];
