import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { createQueries } from './create-queries.js';

/** Gives the pages of one session a cache that ends with the session. Mount it anew for each token. */
export function SessionQueries({ children }: { readonly children: ReactNode }) {
  const [queries] = useState(createQueries);
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}
