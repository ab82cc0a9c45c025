import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { isSameFilter } from '../ui/is-same-filter.js';
import { useSettled } from '../ui/use-settled.js';
import { readEndpointFilter } from './endpoint-filter.js';

const SETTLED_MS = 300;

/** The filter of the address, and a draft of it. What is entered changes the address once it has settled. */
export function useEndpointFilter() {
  const filter = useSearch({ from: '/endpoints' });
  const navigate = useNavigate();
  const [draft, setDraft] = useState(filter);
  const [known, setKnown] = useState(filter);
  const isSettled = useSettled(draft, SETTLED_MS) === draft;
  if (!isSameFilter(known, filter)) {
    setKnown(filter);
    // The address was changed by a link. What is being entered remains, as does a space at its end, which the address lacks.
    if (isSettled && !isSameFilter(readEndpointFilter(draft), filter)) setDraft(filter);
  }
  useEffect(() => {
    const entered = readEndpointFilter(draft);
    if (isSettled && !isSameFilter(entered, filter))
      void navigate({ to: '/endpoints', search: entered, replace: true });
  }, [draft, isSettled, filter, navigate]);
  return { filter, draft, setDraft };
}
