import { later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { openingSpan, shows, showsPayloads } from '../../src/domain/stream-query.js';

const RECORD = { endpointId: 'mine', eventType: 'api_token.created' };
const ANY = { endpointIds: null, eventType: null };

describe('shows', () => {
  it('is true for each record of a workspace without limits', () => {
    expect(shows(ANY, RECORD)).to.equal(true);
    expect(shows(ANY, { ...RECORD, endpointId: null })).to.equal(true);
  });

  it('is true only for records of the endpoints that the stream is limited to', () => {
    const limited = { ...ANY, endpointIds: new Set(['mine']) };
    expect(shows(limited, RECORD)).to.equal(true);
    expect(shows(limited, { ...RECORD, endpointId: 'other' })).to.equal(false);
    expect(shows(limited, { ...RECORD, endpointId: null })).to.equal(false);
    expect(shows({ ...ANY, endpointIds: new Set<string>() }, RECORD)).to.equal(false);
  });

  it('is true only for the event type asked for, within these endpoints', () => {
    const limited = { endpointIds: new Set(['mine']), eventType: RECORD.eventType };
    expect(shows(limited, RECORD)).to.equal(true);
    expect(shows(limited, { ...RECORD, eventType: 'other' })).to.equal(false);
    expect(shows(limited, { ...RECORD, endpointId: 'other' })).to.equal(false);
  });
});

describe('showsPayloads', () => {
  it('is true for events, and for deliveries with payloads', () => {
    expect(showsPayloads({ source: 'events', withPayload: false })).to.equal(true);
    expect(showsPayloads({ source: 'deliveries', withPayload: true })).to.equal(true);
    expect(showsPayloads({ source: 'deliveries', withPayload: false })).to.equal(false);
  });
});

describe('openingSpan', () => {
  it('is the same for openings within an hour', () => {
    expect(openingSpan(NOON)).to.deep.equal(NOON);
    expect(openingSpan(later(3_599_999))).to.deep.equal(NOON);
    expect(openingSpan(later(3_600_000))).to.deep.equal(later(3_600_000));
  });
});
