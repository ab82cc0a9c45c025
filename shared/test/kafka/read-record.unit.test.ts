import { expect } from 'chai';
import type { EachBatchPayload } from 'kafkajs';
import { copyRecord, readRecord, readRecords } from '../../src/kafka/read-record.js';
import { createTopicNames } from '../../src/kafka/topic-names.js';

const names = createTopicNames('test.');

/** Reads one message with these headers. */
function read(headers: object | undefined) {
  const message = { offset: '9007199254740991', timestamp: '1760000000000', key: null, value: null };
  const batch = { topic: 'test.workspace.events', partition: 3, messages: [{ ...message, headers }] };
  const [record] = readRecords(batch as unknown as EachBatchPayload['batch'], names);
  return record!;
}

describe('readRecords', () => {
  it('returns topic without prefix, partition and offset', () => {
    expect(read({})).to.deep.include({
      topic: 'workspace.events',
      partition: 3,
      offset: Number.MAX_SAFE_INTEGER,
      timestamp: 1_760_000_000_000,
      key: null,
      value: null,
    });
  });

  it('returns no headers if none were sent', () => {
    expect(read(undefined)).to.deep.include({ headers: {}, rawHeaders: {} });
  });

  it('returns headers as text and as bytes', () => {
    const bytes = Buffer.from([0xff, 0x00]);
    const { headers, rawHeaders } = read({ ce_type: Buffer.from('grüße'), blob: bytes });
    expect(headers.ce_type).to.equal('grüße');
    expect(rawHeaders.blob).to.equal(bytes);
  });

  it('returns the first of several headers of one name as text, and all as bytes', () => {
    const several = [Buffer.from('one'), Buffer.from('two')];
    const { headers, rawHeaders } = read({ ce_id: several });
    expect(headers.ce_id).to.equal('one');
    expect(rawHeaders.ce_id).to.deep.equal(several);
  });

  it('accepts null header values', () => {
    const { headers, rawHeaders } = read({ ce_type: null, ce_id: [null, Buffer.from('two')] });
    expect(headers).to.deep.equal({ ce_type: '', ce_id: '' });
    expect(rawHeaders).to.deep.equal({
      ce_type: Buffer.alloc(0),
      ce_id: [Buffer.alloc(0), Buffer.from('two')],
    });
  });
});

describe('a copied record', () => {
  it('is equal, and has no bytes of the response of its fetch', () => {
    const response = Buffer.from('a key, a value, and headers');
    const part = (from: number, to: number) => response.subarray(from, to);
    const headers = { ce_type: part(0, 5), twice: [part(7, 9), part(9, 14)], nothing: Buffer.alloc(0) };
    const facts = { partition: 3, offset: 7, timestamp: 9 };
    const record = readRecord('topic', { ...facts, key: part(0, 5), value: part(7, 14), headers });
    const copy = copyRecord(record);
    const { topic, partition, offset, timestamp, key, value } = copy;
    expect({ topic, partition, offset, timestamp }).to.deep.equal({ topic: 'topic', ...facts });
    response.fill(0);
    expect([String(key), String(value)]).to.deep.equal(['a key', 'a value']);
    expect(copy.headers).to.deep.equal({ ce_type: 'a key', twice: 'a ', nothing: '' });
    expect([copy.rawHeaders.twice].flat().map(String)).to.deep.equal(['a ', 'value']);
  });

  it('has neither key nor value if the record has none', () => {
    const empty = { partition: 0, offset: 0, timestamp: 0, key: null, value: null, headers: {} };
    expect(copyRecord(readRecord('topic', empty))).to.include({ key: null, value: null });
  });
});
