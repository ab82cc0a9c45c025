import { NotReachable } from '@postrider/shared/runtime/retry-until';
import { expect } from 'chai';
import kafkajs from 'kafkajs';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { describeFailure } from '../../src/admin/describe-failure.js';

describe('the failure of a command', () => {
  // Regression: only the connection at the start was checked, and later errors were printed with their stack.
  for (const [what, error, text] of [
    [
      'a server that was not reached',
      new NotReachable('MongoDB: gave up after 60 s'),
      'error: MongoDB: gave up after 60 s',
    ],
    [
      'a database that is lost',
      new MongoNetworkError('closed'),
      'error: the connection to MongoDB was lost: closed',
    ],
    [
      'a database user without a right',
      new MongoServerError({ code: 13, message: 'not authorized on postrider' }),
      'error: MongoDB: not authorized on postrider',
    ],
    ['a broker that is lost', new kafkajs.KafkaJSConnectionError('closed'), 'error: Kafka: closed'],
    ['something that is no error', 'closed', 'error: closed'],
  ] as const)
    it(`is described in one line: ${what}`, () => {
      expect(describeFailure(error)).to.equal(text);
    });

  it('is described with its stack if it is unexpected', () => {
    for (const error of [
      new TypeError('x is undefined'),
      new MongoServerError({ code: 2, message: 'bad value' }),
    ])
      expect(describeFailure(error)).to.equal(error.stack);
  });
});
