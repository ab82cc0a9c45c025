import type { Fault, Step } from '../fault.js';
import {
  acceptBigHost,
  addRoutes,
  answerNames,
  disconnect,
  failNames,
  OTHERS,
  reconnect,
  refuseBigHost,
  removeRoutes,
  startNamesAgain,
  startProxyAgain,
  stopNames,
  stopProxy,
  throughNetwork,
} from '../steps/customer-network.js';
import {
  nothingArrivesFor,
  pause,
  startDispatchers,
  stopDispatchers,
  untilLogged,
} from '../steps/frequent.js';
import { underOtherLoad } from '../steps/other-workspaces.js';
import {
  begins,
  countsNothing,
  ends,
  guardIsSilent,
  resumesSoon,
  untilBacklogIsSent,
} from '../steps/outage-checks.js';

const restartDispatcher: Step = async ({ services }) => {
  const [one] = services.running('dispatcher');
  await one?.stop();
  await services.start('dispatcher');
};

export const OUTAGES: readonly Fault[] = [
  {
    number: 31,
    name: 'the name server is down, then fails for every name, also while dispatchers start',
    rate: 1,
    outage: 'dispatchers',
    // The guard would hide failed lookups that are counted.
    ...throughNetwork({ names: 19_361, proxy: 19_362 }, { isGuarded: false }),
    steps: [
      underOtherLoad(OTHERS, [
        pause(5),
        begins,
        stopNames,
        pause(5),
        stopDispatchers,
        startDispatchers(2),
        pause(20),
        startNamesAgain,
        ends,
        resumesSoon,
        pause(5),
        countsNothing,
        untilBacklogIsSent,
        begins,
        failNames,
        pause(5),
        stopDispatchers,
        startDispatchers(2),
        pause(10),
        answerNames,
        ends,
        resumesSoon,
        pause(5),
        countsNothing,
      ]),
    ],
  },
  {
    number: 32,
    name: 'the forward proxy is down, then reaches no receiver, also while a dispatcher starts',
    rate: 1,
    outage: 'dispatchers',
    ...throughNetwork({ names: 19_363, proxy: 19_364 }),
    steps: [
      underOtherLoad(OTHERS, [
        pause(5),
        begins,
        stopProxy,
        untilLogged('egress.proxy_failed'),
        restartDispatcher,
        nothingArrivesFor(10),
        startProxyAgain,
        ends,
        resumesSoon,
        pause(5),
        countsNothing,
        untilBacklogIsSent,
        begins,
        disconnect,
        untilLogged('outage_guard.holding'),
        restartDispatcher,
        nothingArrivesFor(20),
        reconnect,
        ends,
        resumesSoon,
        pause(5),
        countsNothing,
      ]),
    ],
  },
  {
    number: 33,
    name: 'one host with 60 % of all endpoints is unreachable',
    rate: 1,
    ...throughNetwork({ names: 19_365, proxy: 19_366 }),
    steps: [underOtherLoad(OTHERS, [pause(5), refuseBigHost, pause(30), guardIsSilent, acceptBigHost])],
  },
  {
    number: 42,
    name: 'there is no route to any receiver, also while a dispatcher starts',
    rate: 1,
    outage: 'dispatchers',
    ...throughNetwork({ names: 19_367, proxy: 19_368 }, { isProxied: false }),
    steps: [
      underOtherLoad(OTHERS, [
        pause(5),
        begins,
        removeRoutes,
        untilLogged('outage_guard.holding'),
        restartDispatcher,
        nothingArrivesFor(20),
        addRoutes,
        ends,
        resumesSoon,
        pause(5),
        countsNothing,
      ]),
    ],
  },
];
