/** The payloads of deliveries, as JSON, read once for all streams that show them at about the same time. */
export interface SharedPayloads {
  /** A delivery that is no longer stored has `null`. */
  read(deliveryIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Forgets what was read before the last call. */
  forgetOlder(): void;
  /** Forgets everything. */
  clear(): void;
}

type ReadPayloads = (deliveryIds: readonly string[]) => Promise<ReadonlyMap<string, unknown>>;

export function createSharedPayloads(readPayloads: ReadPayloads, maxBytes: number): SharedPayloads {
  let recent = new Map<string, Promise<string>>();
  let older = recent;
  let recentBytes = 0;

  const forgetOlder = () => {
    older = recent;
    recent = new Map();
    recentBytes = 0;
  };
  const clear = () => {
    forgetOlder();
    older = recent;
  };
  const find = (id: string) => recent.get(id) ?? older.get(id);
  const startReading = (ids: readonly string[]) => {
    if (ids.length === 0) return;
    const reading = readPayloads(ids);
    const into = recent;
    for (const id of ids) {
      const text = reading.then((found) => JSON.stringify(found.get(id) ?? null));
      into.set(id, text);
      text.then(
        ({ length }) => {
          if (into !== recent) return;
          recentBytes += length;
          if (recentBytes > maxBytes / 2) forgetOlder();
        },
        () => into.delete(id),
      );
    }
  };
  return {
    async read(deliveryIds) {
      startReading(deliveryIds.filter((id) => find(id) === undefined));
      const found = deliveryIds.map(async (id) => [id, (await find(id)) ?? 'null'] as const);
      return new Map(await Promise.all(found));
    },
    forgetOlder,
    clear,
  };
}
