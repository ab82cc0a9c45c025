/** Adds and removes the prefix of topic and consumer group names. */
export interface TopicNames {
  full(name: string): string;
  bare(full: string): string;
}

export function createTopicNames(prefix: string): TopicNames {
  return { full: (name) => `${prefix}${name}`, bare: (full) => full.slice(prefix.length) };
}
