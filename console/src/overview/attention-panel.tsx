import { Link } from '@tanstack/react-router';
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
              {nextCursor !== null && <Link to="/endpoints">{texts.overview.notAll}</Link>}
              {nextCursor === null && hidden > 0 && (
                <Link to="/endpoints">{texts.overview.more(hidden)}</Link>
              )}
            </>
          );
        }}
      </Queried>
    </Panel>
  );
}
