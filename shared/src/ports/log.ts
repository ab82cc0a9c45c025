/** A logger: fields first, then a sentence. The runtime's logger implements it. */
export interface Log {
  debug(facts: object, sentence: string): void;
  info(facts: object, sentence: string): void;
  warn(facts: object, sentence: string): void;
  /** Only if a person must act. */
  error(facts: object, sentence: string): void;
}
