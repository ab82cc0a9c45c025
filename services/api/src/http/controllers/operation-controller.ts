import type { Request } from 'express';
import type { Call, OpenCall } from '../../operations/call.js';
import type { Operations } from '../../operations/operations.js';
import { callOf, openCallOf } from '../exchange.js';

/** What every controller works with: one admitted call, and the operations. It maps between HTTP and them, no more. */
export abstract class OperationController {
  protected readonly call: Call;
  protected readonly operations: Operations;

  constructor(request: Request) {
    this.call = callOf(request);
    this.operations = request.app.locals.operations;
  }
}

/** The same for operations that need no bearer: what they get was admitted as such. */
export abstract class OpenController {
  protected readonly call: OpenCall;
  protected readonly operations: Operations;

  constructor(request: Request) {
    this.call = openCallOf(request);
    this.operations = request.app.locals.operations;
  }
}
