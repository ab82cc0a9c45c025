import { type Group, healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { countOf, type Scenario, secondsOf } from '../scenario.js';
import { latencyOf } from './load.js';

const FEW = 100;
const MANY = 10_000;
const QUICK = { group: 'quick', perSecond: 200 };

export const hosts: Scenario = {
  name: 'hosts',
  about: `Latency and memory with ${MANY.toLocaleString('en')} hosts that are reached with TLS, beside ${FEW}.`,
  run(context) {
    const load = { settleSeconds: 3, seconds: secondsOf(context, 60), groups: [QUICK.group] };
    const withTls = (count: number): Group => ({ ...healthy(QUICK.group, count), tls: true });
    return measureDeliveries(
      context,
      [FEW, countOf(context, MANY)].map((count) => ({
        label: `${count.toLocaleString('en')} hosts with TLS`,
        groups: [withTls(count)],
        run: latencyOf({ ...load, streams: [QUICK] }),
      })),
    );
  },
};
