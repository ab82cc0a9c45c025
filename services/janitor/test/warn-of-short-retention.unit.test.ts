import { expect } from 'chai';
import { warnOfShortRetention } from '../src/warn-of-short-retention.js';

const DAY_MS = 86_400_000;

describe('a retention', () => {
  const logged = async (retentionMs: number, eventsKeptMs: () => Promise<number>) => {
    const events: unknown[] = [];
    const warn = ({ event }: { readonly event?: unknown }) => void events.push(event);
    await warnOfShortRetention({
      retentionMs,
      eventsKeptMs,
      log: { debug() {}, info() {}, error() {}, warn },
    });
    return events;
  };

  it('is warned of if deliveries are removed before their events', async () => {
    expect(await logged(13 * DAY_MS, async () => 14 * DAY_MS)).to.deep.equal(['retention.short']);
    expect(await logged(30 * DAY_MS, async () => Number.POSITIVE_INFINITY)).to.deep.equal([
      'retention.short',
    ]);
    expect(await logged(14 * DAY_MS, async () => 14 * DAY_MS)).to.deep.equal([]);
  });

  it('is accepted while that of the topic cannot be read', async () => {
    const refused = async () => {
      throw new Error('not authorized');
    };
    expect(await logged(DAY_MS, refused)).to.deep.equal(['retention.unknown']);
  });
});
