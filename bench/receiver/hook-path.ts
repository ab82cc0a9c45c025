import { type Answer, formatAnswer, parseAnswer } from './answer.js';

/** What the path of an endpoint's URL says. */
export interface Hook {
  /** The endpoints that are counted together. */
  readonly group: string;
  readonly answer: Answer;
}

/** @param index tells the endpoints of a group apart */
export function hookPath({ group, answer }: Hook, index: number): string {
  return `/${group}/${formatAnswer(answer)}/${index}`;
}

/** @throws Error for a path that `hookPath` does not make */
export function parseHookPath(path: string): Hook {
  const [, group = '', answer = ''] = path.split('/');
  return { group, answer: parseAnswer(answer) };
}
