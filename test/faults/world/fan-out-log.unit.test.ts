import { expect } from 'chai';
import { type FanOutLine, repeatsOfFinished } from './fan-out-log.js';

const EVENT = 'evt_1 ws_1';
const read = (at: number, pid: number): FanOutLine => ({ kind: 'read', at, pid, event: EVENT });
const stored = (at: number, pid: number, after: string): FanOutLine => ({
  kind: 'stored',
  at,
  pid,
  event: EVENT,
  after,
});
const chunk = (at: number, pid: number, first: string | null): FanOutLine => ({
  kind: 'chunk',
  at,
  pid,
  event: EVENT,
  rows: 500,
  repeated: first === null ? 0 : 1,
  first,
});

describe('repeated rows of finished chunks', () => {
  const before = [read(1, 1), chunk(2, 1, null), stored(3, 1, 'whe_500'), chunk(4, 1, null)];
  const cases: Readonly<Record<string, readonly [readonly FanOutLine[], number]>> = {
    'are none without a repeated row': [[...before, read(6, 2), chunk(7, 2, null)], 0],
    'are none for a chunk that was not finished': [[...before, read(6, 2), chunk(7, 2, 'whe_501')], 0],
    'are found for a finished chunk': [[...before, read(6, 2), chunk(7, 2, 'whe_500')], 1],
    'are none for a chunk that was finished after its progress was read': [
      [...before, read(6, 2), stored(7, 1, 'whe_900'), chunk(8, 2, 'whe_501')],
      0,
    ],
    'are found if the process did not read the progress': [
      [...before, read(6, 3), chunk(7, 2, 'whe_500')],
      1,
    ],
    'are none for another event': [[...before, { ...chunk(7, 2, 'whe_500'), event: 'evt_2 ws_1' }], 0],
  };
  for (const [title, [lines, expected]] of Object.entries(cases))
    it(title, () => expect(repeatsOfFinished(lines)).to.have.length(expected));
});
