import type { Request, Response } from 'express';
import { Refusal } from '../domain/refusal.js';

/** For routes that only read. @throws Refusal `MethodNotAllowed` */
export function requireRead({ method }: Request, response: Response): void {
  if (method === 'GET' || method === 'HEAD') return;
  response.set('allow', 'GET, HEAD');
  throw new Refusal('MethodNotAllowed', 'This route supports GET, HEAD.');
}
