import { type Group, healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { countOf, type Scenario, secondsOf } from '../scenario.js';
import { latencyOf } from './load.js';

const FEW = 100;
const MANY = 10_000;
const REFUSING_SHARE = 0.1;
const QUICK = 'quick';
const STREAMS = [{ perSecond: 200 }];
const LIMITS = { keepsRate: 0.98, timesP99: 2 };

export const hosts: Scenario = {
  name: 'hosts',
  about: `Latency and memory with ${MANY.toLocaleString('en')} hosts that are reached with TLS, beside ${FEW}, and with some that refuse connections.`,
  run(context) {
    const many = countOf(context, MANY);
    const refusing = Math.round(many * REFUSING_SHARE);
    const load = {
      ...{ streams: STREAMS, settleSeconds: 3, seconds: secondsOf(context, 60) },
      ...{ groups: [QUICK], showBlocks: true },
    };
    const withTls = (count: number): Group => ({ ...healthy(QUICK, count), tls: true });
    const unreached: Group = {
      ...{ name: 'refusing', count: refusing, place: 'refusing' },
      ...{ tls: true, expected: null },
    };
    const labelOf = (count: number) => `${count.toLocaleString('en')} hosts with TLS`;
    return measureDeliveries(context, [
      ...[FEW, many].map((count) => ({
        label: labelOf(count),
        groups: [withTls(count)],
        measureBlocks: true,
        run: latencyOf(load),
      })),
      {
        label: `${labelOf(many)}, ${refusing.toLocaleString('en')} refusing`,
        baseline: labelOf(many),
        groups: [withTls(many - refusing), unreached],
        measureBlocks: true,
        run: latencyOf({ ...load, limits: LIMITS }),
      },
    ]);
  },
};
