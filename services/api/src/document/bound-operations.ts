import { isRecord } from '@postrider/shared/domain/is-record';
import { readDateTime, readEnd } from '@postrider/shared/domain/read-date-time';
import type { Mistake } from '../domain/refusal.js';
import type { Call, OpenCall } from '../operations/call.js';
import type { InputRules } from '../operations/input-rules.js';
import type { Operations } from '../operations/operations.js';
import { type DeclaredOperation, declaredOperations } from './declared-operations.js';
import type { OpenApiDocument, Operation, ResponseObject } from './openapi.js';

/** The decoded input of an operation: path parameters, query and body as one flat object. */
export type Input = Readonly<Record<string, unknown>>;

/** A declared operation with the function that performs it. REST routes and MCP tools are both made of these. */
export interface BoundOperation extends DeclaredOperation {
  readonly success: { readonly status: number; readonly response: ResponseObject };
  /** Finds the mistakes in an input of any form that its schema cannot express. */
  readonly mistakesIn: (input: unknown) => readonly Mistake[];
  /** Runs the operation. Neither the document nor `mistakesIn` may have found a mistake in the input. */
  readonly run: (call: Call | OpenCall, input: Input) => Promise<unknown>;
}

/** @throws Error when the document declares an operation that is not implemented */
export function boundOperations(
  document: OpenApiDocument,
  { all, limitedTo, rules }: OperationSets,
): BoundOperation[] {
  const implementations = byId(all);
  return declaredOperations(document).map((operation) => {
    const { operationId, declaration } = operation;
    const implementation = implementations[operationId];
    if (implementation === undefined) throw new Error(`the operation ${operationId} is not implemented`);
    const withDates = dateReader(declaration);
    return {
      ...operation,
      success: successOf(declaration),
      mistakesIn: ruleOf(declaration, rules),
      run(call, input) {
        const endpointIds = ('credential' in call && call.credential?.endpointIds) || null;
        const run = endpointIds === null ? implementation : byId(limitedTo(endpointIds))[operationId];
        if (run === undefined) throw new Error(`the operation ${operationId} is not implemented`);
        return run(call, withDates(input));
      },
    };
  });
}

/** The operations of callers that see a whole workspace, and those of callers that are limited to some endpoints. */
export interface OperationSets {
  readonly all: Operations;
  readonly limitedTo: (endpointIds: ReadonlySet<string>) => Operations;
  readonly rules: InputRules;
}

function byId(operations: Operations): Readonly<Record<string, BoundOperation['run']>> {
  return operations as unknown as Readonly<Record<string, BoundOperation['run']>>;
}

function ruleOf({ 'x-input-rules': name }: Operation, rules: InputRules): BoundOperation['mistakesIn'] {
  if (name === undefined) return () => [];
  const rule = rules[name];
  return (input) => (isRecord(input) ? rule(input) : []);
}

function successOf({ operationId, responses }: Operation): BoundOperation['success'] {
  const [status, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  if (response === undefined || '$ref' in response) throw new Error(`${operationId} declares no success`);
  return { status: Number(status), response };
}

/** The parameter that selects what was created before it. */
const END = 'createdBefore';

/** Operations take date parameters as dates; date fields of bodies stay texts. */
function dateReader({ parameters }: Operation): (input: Input) => Input {
  const names = parameters.flatMap((parameter) =>
    'in' in parameter && parameter.schema.format === 'date-time' ? [parameter.name] : [],
  );
  if (names.length === 0) return (input) => input;
  return (input) => {
    const given = names.filter((name) => input[name] !== undefined);
    const dateOf = (name: string) => (name === END ? readEnd : readDateTime)(input[name]);
    return { ...input, ...Object.fromEntries(given.map((name) => [name, dateOf(name)])) };
  };
}
