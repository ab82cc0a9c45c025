import {
  cleanEnv,
  type EnvError,
  EnvMissingError,
  type ExactValidator,
  bool as envalidBool,
  str as envalidStr,
  makeExactValidator,
} from 'envalid';
import { withoutSecrets } from './without-secrets.js';

export type { CleanedEnv } from 'envalid';

/** How the value of a variable is written. A duration is parsed to milliseconds, a list is comma-separated. */
export type Form = 'boolean' | 'duration' | 'list' | 'number' | 'text';

/** Lets the variables that a validator declares carry their form, which the guide shows. */
function inForm<V extends (spec: never) => object>(form: Form, validator: V): V {
  const declare = (spec: never) => ({ ...validator(spec), form });
  return declare as object as V;
}

/** Declares variables whose text is parsed to a value of exactly one type. @param parse throws if the text is invalid */
export const exactly = <T>(form: Form, parse: (text: string) => T): ExactValidator<T> =>
  inForm(form, makeExactValidator(parse));

export const bool = inForm('boolean', envalidBool);
export const str = inForm('text', envalidStr);

/** Lists every problem of the environment, each with the name of its variable. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** Without passwords, although they quote values: a URL may be in the wrong variable. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const shown = problems.map(withoutSecrets);
    super(`the configuration is not usable:\n${shown.map((line) => `  ${line}`).join('\n')}`);
    this.problems = shown;
  }
}

type Specs = Parameters<typeof cleanEnv>[1];

/** The values by variable name; undefined for variables without a value. */
export type Env = Readonly<Record<string, unknown>>;

/** Checks a variable against the other ones and the raw environment. @returns its problem, or null */
type Rule = (values: Env, env: NodeJS.ProcessEnv) => string | null;

/** Declares a rule that is checked after all variables are read. */
export function withRule<S extends object>(variable: S, rule: Rule): S {
  return Object.assign(variable, { rule });
}

/**
 * Reads a declared configuration from the environment, once.
 *
 * @throws ConfigurationError that lists everything missing or invalid
 */
export function readConfig<S extends Specs>(env: NodeJS.ProcessEnv, specs: S) {
  return cleanEnv(env, specs, {
    reporter: ({ errors, env: values }) => {
      const problems = [
        ...Object.entries(errors).map(([name, error]) => problemOf(name, error as Error, specs)),
        ...brokenRules(values as Env, { env, specs }),
      ];
      if (problems.length > 0) throw new ConfigurationError(problems);
    },
  });
}

function problemOf(name: string, error: Error | EnvError, specs: Specs): string {
  const about = (specs as Record<string, { desc?: string; example?: string } | undefined>)[name];
  const example = about?.example === undefined ? '' : ` (for example ${about.example})`;
  if (error instanceof EnvMissingError)
    return `${name} is missing: ${about?.desc ?? 'it has no default'}${example}`;
  return `${name}: ${error.message}${example}`;
}

function brokenRules(values: Env, { env, specs }: { env: NodeJS.ProcessEnv; specs: Specs }): string[] {
  const declared = specs as Record<string, { readonly rule?: Rule }>;
  return Object.entries(declared).flatMap(([name, { rule }]) => {
    const problem = rule?.(values, env) ?? null;
    return problem === null ? [] : [`${name}: ${problem}`];
  });
}

export const isProduction = (env: NodeJS.ProcessEnv): boolean => env.NODE_ENV === 'production';
