import { expect } from 'chai';
import {
  type BulkWriteResult,
  MongoBulkWriteError,
  MongoClientClosedError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  type TopologyDescription,
} from 'mongodb';
import { isDatabaseAway } from '../../src/mongo/database-away.js';

describe('isDatabaseAway', () => {
  const NOT_PRIMARY = 10_107;
  const DUPLICATE_KEY = 11_000;
  const unreachable = new MongoServerSelectionError('no primary', {} as TopologyDescription);
  const closed = new MongoNetworkError('connection closed');
  const serverError = (code: number) => new MongoServerError({ message: 'an error', code });

  /** The error of a bulk write that ended by this error, as the driver creates it. */
  const ofBulkWrite = (error: ConstructorParameters<typeof MongoBulkWriteError>[0]) =>
    new MongoBulkWriteError(error, {} as BulkWriteResult);

  for (const [name, error, expected] of [
    ['a server that cannot be reached', unreachable, true],
    ['a connection that was closed', closed, true],
    ['a client that was closed meanwhile', new MongoClientClosedError(), true],
    ['a primary that stepped down', serverError(NOT_PRIMARY), true],
    ['a document that exists', serverError(DUPLICATE_KEY), false],
  ] as const) {
    it(`is ${expected} for ${name}`, () => expect(isDatabaseAway(error)).to.equal(expected));
    it(`is ${expected} for ${name} in a bulk write`, () =>
      expect(isDatabaseAway(ofBulkWrite(error))).to.equal(expected));
  }

  it('is false for documents that a bulk write could not store', () => {
    const writeErrors = [{ code: DUPLICATE_KEY, index: 0, errmsg: 'exists', errInfo: {} }];
    const rejected = { message: 'exists', code: DUPLICATE_KEY, writeErrors: writeErrors as never };
    expect(isDatabaseAway(ofBulkWrite(rejected))).to.equal(false);
  });

  it('is false for an error of another kind', () =>
    expect(isDatabaseAway(new Error('a mistake'))).to.equal(false));
});
