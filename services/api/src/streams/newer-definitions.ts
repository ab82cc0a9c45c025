import { createFreshCatalogue } from '@postrider/shared/catalogue/fresh-catalogue';
import type { CatalogueView } from '@postrider/shared/ports/catalogue';

/** Finds out whether an event may have been accepted by newer definitions than this process knows. */
export interface NewerDefinitions {
  /**
   * Returns null if the definitions have been read since a time, also if that read failed: an outage of the database must not
   * keep records waiting again and again. Otherwise returns how to read them, which all records share, at most once a second.
   * It never rejects.
   */
  refreshSince(time: number): (() => Promise<void>) | null;
}

interface NewerDefinitionsParts {
  readonly catalogue: Pick<CatalogueView, 'refresh'>;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<unknown>;
}

export function createNewerDefinitions(parts: NewerDefinitionsParts): NewerDefinitions {
  const { catalogue, monotonicMs, sleep } = parts;
  /** When the last completed read began. */
  let readAt = Number.NEGATIVE_INFINITY;
  const fresh = createFreshCatalogue({
    catalogue: {
      refresh() {
        const began = monotonicMs();
        return catalogue.refresh().finally(() => {
          readAt = began;
        });
      },
    },
    monotonicMs,
    sleep: async (ms) => void (await sleep(ms)),
  });
  const refresh = async () => void (await fresh.read().catch(() => null));
  return { refreshSince: (time) => (readAt >= time ? null : refresh) };
}
