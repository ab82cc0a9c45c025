import type { RequestHandler } from 'express';
import { Refusal } from '../domain/refusal.js';

/** The server has already answered this expectation. */
const CONTINUE = /(?:^|\W)100-continue(?:$|\W)/i;

/** Refuses what HTTP/1.1 does not allow. Node would respond itself, without a problem and a trace id. */
export const protocolRules: RequestHandler = ({ httpVersion, headers }, _response, next) => {
  if (httpVersion !== '1.1') return next();
  if (!headers.host) throw new Refusal('InvalidRequest', 'Send a Host header.');
  if (headers.expect !== undefined && !CONTINUE.test(headers.expect))
    throw new Refusal('InvalidRequest', 'The only expectation that is met is 100-continue.');
  next();
};
