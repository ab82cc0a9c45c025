import { type Catalogue, createCatalogue, EMPTY_CATALOGUE } from '../catalogue/catalogue.js';
import type { CatalogueStore, CatalogueView } from '../ports/catalogue.js';
import type { Log } from '../ports/log.js';
import { coalesce } from '../runtime/coalesce.js';
import { repeat } from '../runtime/repeat.js';

export interface WatchedCatalogue extends CatalogueView {
  stop(): void;
}

/** All processes know a change within 10 s; reading one small document this often costs next to nothing. */
const POLL_EVERY_MS = 5_000;

/** Reads the catalogue and follows its changes. While the database is away, the last one stays. */
export async function watchCatalogue(
  store: CatalogueStore,
  log: Log,
  everyMs = POLL_EVERY_MS,
): Promise<WatchedCatalogue> {
  let catalogue: Catalogue = EMPTY_CATALOGUE;
  const read = async (): Promise<Catalogue> => {
    if ((await store.version()) === catalogue.version) return catalogue;
    const { version, types } = await store.read();
    catalogue = createCatalogue(version, types, catalogue);
    log.info({ event: 'catalogue.changed', version, types: types.length }, 'the catalogue has changed');
    return catalogue;
  };
  const refresh = coalesce<void, Catalogue>(read);
  await refresh();
  const watching = repeat({
    task: refresh,
    pauseMs: () => everyMs,
    onError: (err) => log.debug({ event: 'catalogue.unread', err }, 'the catalogue stays as it was'),
  });
  return { current: () => catalogue, refresh, stop: () => void watching.stop() };
}
