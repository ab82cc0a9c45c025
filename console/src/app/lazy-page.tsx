import type { AsyncRouteComponent } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { ErrorPanel } from '../ui/error-panel.js';
import { Loading } from '../ui/loading.js';
import { PageNotLoaded } from '../ui/page-not-loaded.js';
import { reloadIfServed } from './reload-if-served.js';

/** A page whose script has been loaded, or null after a failure. */
type Loaded = { readonly Page: ComponentType | null };

/**
 * A page whose script is loaded when the page is opened for the first time. If that fails, the frame of the console and the
 * session remain, and a person decides when to try again. The router's own wrapper reloads the document instead, which
 * fails without a network.
 */
export function lazyPage<Module extends object>(
  load: () => Promise<Module>,
  name: keyof Module,
): AsyncRouteComponent<object> {
  let known: Loaded | null = null;
  const loadPage = async (): Promise<Loaded> => {
    if (known !== null) return known;
    try {
      // Not checked by the compiler: the types of pages depend on those of the routes, which are declared with this function.
      known = { Page: (await load())[name] as ComponentType };
      return known;
    } catch {
      return { Page: null };
    }
  };

  function LazyPage() {
    const [loaded, setLoaded] = useState(known);
    useEffect(() => {
      if (loaded === null) void loadPage().then(setLoaded);
    }, [loaded]);
    const retry = async () => {
      const result = await loadPage();
      // A browser may keep the failure as long as the document, and an upgrade may have replaced the script.
      if (result.Page === null && (await reloadIfServed())) return;
      setLoaded(result);
    };
    if (loaded === null) return <Loading />;
    if (loaded.Page === null) return <ErrorPanel error={new PageNotLoaded()} onRetry={() => void retry()} />;
    return <loaded.Page />;
  }

  return Object.assign(LazyPage, {
    preload: async () => {
      await loadPage();
    },
  });
}
