import { expect } from 'chai';
import { explainFetchError } from '../src/index.js';

const failed = (cause?: unknown) => new TypeError('fetch failed', { cause });
const refused = (address: string) => new Error(`connect ECONNREFUSED ${address}`);

describe('explainFetchError', () => {
  for (const [name, error, explanation] of [
    ['the message of the cause', failed(refused('127.0.0.1:1')), 'connect ECONNREFUSED 127.0.0.1:1'],
    [
      'the first of several addresses',
      failed(new AggregateError([refused('::1:1'), refused('127.0.0.1:1')])),
      'connect ECONNREFUSED ::1:1',
    ],
    ['the code of a cause without a message', failed(Object.assign(new Error(), { code: 'EX' })), 'EX'],
    ['its own message without a cause', failed(), 'fetch failed'],
    ['its own message with a cause that is no error', failed('down'), 'fetch failed'],
  ] as const) {
    it(`returns ${name}`, () => {
      expect(explainFetchError(error)).to.equal(explanation);
    });
  }
});
