import { Link } from '@tanstack/react-router';
import { useSession } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { Icon } from '../ui/icon.js';
import { NAVIGATION } from './pages.js';
import styles from './shell.module.css';

/** The pages that the token may read, in groups. */
export function Navigation({ onNavigate }: { onNavigate(): void }) {
  const { permissions } = useSession();
  const groups = NAVIGATION.map(({ title, pages }) => ({
    title,
    pages: pages.filter(({ needs }) => permissions.has(needs)),
  })).filter(({ pages }) => pages.length > 0);
  return (
    <nav aria-label={texts.navigation.label} className={styles.navigation}>
      {groups.map(({ title, pages }) => (
        <div key={title}>
          <p className={styles.group}>{title}</p>
          <ul aria-label={title}>
            {pages.map(({ to, icon, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  activeOptions={{ exact: to === '/', includeSearch: false }}
                  onClick={onNavigate}
                >
                  <Icon name={icon} />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
