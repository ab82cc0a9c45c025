import type { Call } from '../../operations/call.js';
import type { Operations } from '../../operations.js';

/** What every controller works with: one admitted call, and the operations. It maps between HTTP and them, no more. */
export abstract class OperationController {
  constructor(
    protected readonly call: Call,
    protected readonly operations: Operations,
  ) {}
}
