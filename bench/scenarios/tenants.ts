import { type Group, healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { type Context, type Scenario, secondsOf } from '../scenario.js';
import { deliveriesOf, keptRateFigure, latencyFigures, memoryFigure } from './figures.js';
import { observe, publishStreams, type Stream, warmUp } from './load.js';
import { phaseParts, phaseRatioFigure } from './phases.js';

const OTHERS = 500;
const CROWD = 1_000;
const SECONDS = 60;
/** Until answers of the previous phase no longer arrive. */
const SETTLE_SECONDS = 15;
const QUICK: Stream = { group: 'quick', perSecond: 500 };
/** An event every four seconds for all endpoints of the crowd. */
const CROWD_STREAM: Stream = { group: 'crowd', perSecond: 0.25 };
const GROUPS = ['quick'];

/** How long the endpoints of the crowd take to answer: every POST succeeds. */
const DELAYS = [
  { label: 'answer at once', delayMs: 0 },
  // Just before a POST moves to the slots of slow ones.
  { label: 'answer after 0.9 s', delayMs: 900 },
  // Just before the time-out.
  { label: 'answer after 9.9 s', delayMs: 9_900 },
];

export const tenants: Scenario = {
  name: 'tenants',
  about: `Latency of ${OTHERS} workspaces beside one with ${CROWD.toLocaleString('en')} endpoints that answer 200 at once, after 0.9 s or after 9.9 s.`,
  run: (context) => measureDeliveries(context, DELAYS.map(besideCrowd(context))),
};

function besideCrowd(context: Context) {
  const seconds = secondsOf(context, SECONDS);
  const settle = Math.min(SETTLE_SECONDS, seconds);
  return ({ label, delayMs }: (typeof DELAYS)[number]): Measurement => {
    const crowd: Group = {
      name: 'crowd',
      count: CROWD,
      place: { delayMs },
      sharedWorkspace: true,
      expected: null,
    };
    return {
      label,
      groups: [healthy('quick', OTHERS), crowd],
      async run(environment) {
        const publish = async (streams: readonly Stream[], length: number) => {
          await publishStreams(environment, streams, { seconds: settle });
          return observe(environment, () => publishStreams(environment, streams, { seconds: length }));
        };
        await warmUp(environment);
        const { published: before } = await publish([QUICK], seconds / 2);
        const { published: during, processes, span } = await publish([QUICK, CROWD_STREAM], seconds);
        const { published: after } = await publish([QUICK], seconds / 2);
        await environment.drained();
        const phases = { before, during, after };
        return {
          deliveries: during.events,
          processes,
          figures: ({ records }) => [
            keptRateFigure(records, span, GROUPS, { atLeast: 0.98 }),
            ...latencyFigures(deliveriesOf(records, during, GROUPS)),
            phaseRatioFigure(phases, { records, groups: GROUPS }, { atMost: 2 }),
            memoryFigure(processes),
          ],
          parts: ({ records }) => phaseParts(phases, { records, groups: GROUPS }, `those that ${label}`),
        };
      },
    };
  };
}
