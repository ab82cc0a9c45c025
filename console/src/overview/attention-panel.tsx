import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ANY_CONCERN } from '../health/concerns.js';
import { StateList } from '../health/state-item.js';
import { texts } from '../texts/en.js';
import { Panel } from '../ui/panel.js';
import { Queried } from '../ui/queried.js';
import { attentionOf } from './attention.js';
import { AttentionItem } from './attention-item.js';
import styles from './overview.module.css';
import { useAttention } from './use-attention.js';

const MAX_SHOWN = 8;

/** The endpoints that need attention first, each with the reason and the next step. */
export function AttentionPanel() {
  const query = useAttention();
  return (
    <Panel title={texts.overview.attention}>
      <Queried query={query}>
        {({ items: endpoints, nextCursor }) => {
          const items = attentionOf(endpoints);
          const hidden = items.length - MAX_SHOWN;
          if (items.length === 0 && nextCursor === null)
            return <p className={styles.calm}>{texts.overview.calm}</p>;
          return (
            <>
              <StateList>
                {items.slice(0, MAX_SHOWN).map((item) => (
                  <AttentionItem key={item.endpoint.id} item={item} />
                ))}
              </StateList>
              {nextCursor !== null && <AllLink>{texts.overview.notAll}</AllLink>}
              {nextCursor === null && hidden > 0 && <AllLink>{texts.overview.more(hidden)}</AllLink>}
            </>
          );
        }}
      </Queried>
    </Panel>
  );
}

/** To all endpoints that need attention. */
function AllLink({ children }: { readonly children: ReactNode }) {
  return (
    <Link to="/endpoints" search={{ state: ANY_CONCERN }}>
      {children}
    </Link>
  );
}
