import type { operations as Documented } from '@postrider/client';
import type { Operations } from '../../src/operations/operations.js';

/*
 * Compiles only if each operation accepts every input that the document declares for it, and returns only what the
 * document declares as its success. A stream is not returned.
 */
type Id = keyof Operations & keyof Documented;

type Query<O> = O extends { parameters: { query?: infer Q } } ? Present<Q> : unknown;
type Present<Q> = [Q & {}] extends [never] ? unknown : Q & {};
type Path<O> = O extends { parameters: { path: infer P } } ? Omit<P, 'slug'> : object;
type Body<O> = O extends { requestBody: { content: { 'application/json': infer B } } } ? B : unknown;
type DocumentedInput<O> = Query<O> & Path<O> & Body<O>;

type Json<R> = R extends { content: { 'application/json': infer J } }
  ? J
  : R extends { content: { 'text/event-stream': unknown } }
    ? unknown
    : undefined;
type DocumentedAnswer<O> = O extends { responses: infer R }
  ? Json<R[keyof R & (200 | 201 | 202 | 204)]>
  : never;

/** Date parameters are texts on the wire. */
type OnTheWire<T> = { [K in keyof T]: Exclude<T[K], undefined> extends Date ? string | undefined : T[K] };
type Input<Operation> = Operation extends (call: never, input: infer I) => unknown ? OnTheWire<I> : unknown;
type Answer<Operation> = Operation extends (...args: never[]) => Promise<infer A>
  ? A extends void
    ? undefined
    : A
  : never;

type InputMismatch = {
  [I in Id]: DocumentedInput<Documented[I]> extends Input<Operations[I]> ? never : I;
}[Id];
type AnswerMismatch = {
  [I in Id]: Answer<Operations[I]> extends DocumentedAnswer<Documented[I]> ? never : I;
}[Id];

type Unknown = Exclude<keyof Documented, Id | `receive_${string}`>;

export const noMismatch: [InputMismatch | AnswerMismatch | Unknown] extends [never] ? true : never = true;
