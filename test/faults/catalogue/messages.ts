import type { Fault } from '../fault.js';
import { OK } from '../load/receiver.js';
import { addEndpoints, answer, expectLogged, paths, pause } from '../steps/frequent.js';
import { DELIVERIES, RETRY_TOPICS } from '../steps/kafka.js';
import { poison } from '../steps/poison.js';
import { freezeDispatchers } from '../steps/processes.js';
import { sendForEachMessage } from '../steps/sent-messages.js';

const SLOW_PATHS = paths('/slow', 8);

export const MESSAGES: readonly Fault[] = [
  {
    number: 19,
    name: 'every message arrives two or three times',
    quick: true,
    steps: [
      sendForEachMessage(
        ({ value }, topic, random) => ({ topic, value, copies: random.between(1, 2) }),
        pause(30),
      ),
    ],
  },
  {
    number: 20,
    name: 'attempts are recorded long after another process recorded them; messages request past or future attempts',
    // Less than the slow endpoints can handle.
    rate: 5,
    settings: () => ({ LOG_SAMPLE_DELIVERED: '1' }),
    // So slow that a frozen dispatcher has POSTs in flight.
    prepare: addEndpoints(SLOW_PATHS, (bucket, earlier) => {
      return { status: earlier === 0 && bucket < 25 ? 500 : 200, delayMs: 500 };
    }),
    steps: [
      sendForEachMessage(
        (message, topic, random) => {
          if (topic === 'workspace.events' || message.value === null) return null;
          const value = { ...JSON.parse(message.value.toString()), ordinal: random.between(1, 8) };
          return {
            topic: random.pick([DELIVERIES, ...RETRY_TOPICS]),
            value: JSON.stringify(value),
            copies: 1,
          };
        },
        // Longer than a session: another dispatcher takes over what is in flight.
        freezeDispatchers({ times: 3, frozenMs: 11_000, pauseMs: 4_000 }),
      ),
      answer(SLOW_PATHS, () => OK),
      expectLogged('"event":"delivery.attempted"', '"recorded":false'),
    ],
  },
  {
    number: 27,
    name: 'topics contain broken JSON, unknown ids, a future schema and wrong magic bytes',
    quick: true,
    steps: [poison],
  },
];
