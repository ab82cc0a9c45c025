import { Link } from '@tanstack/react-router';
import { useSession } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import styles from './shell.module.css';

/** The pages, each with the permission that it needs. */
const PAGES = [
  { to: '/', label: texts.navigation.overview, needs: 'webhook:list' },
  { to: '/endpoints', label: texts.navigation.endpoints, needs: 'webhook:list' },
  { to: '/deliveries', label: texts.navigation.deliveries, needs: 'webhook:list' },
  { to: '/event-types', label: texts.navigation.eventTypes, needs: 'event_type:list' },
  { to: '/notifications', label: texts.navigation.notifications, needs: 'notification:list' },
  { to: '/members', label: texts.navigation.members, needs: 'member:list' },
  { to: '/tokens', label: texts.navigation.tokens, needs: 'api_token:list' },
  { to: '/audit-log', label: texts.navigation.auditLog, needs: 'audit_event:list' },
  { to: '/signature-check', label: texts.navigation.playground, needs: 'webhook:list' },
] as const;

export function Navigation() {
  const { permissions } = useSession();
  return (
    <nav aria-label={texts.navigation.label}>
      <ul className={styles.navigation}>
        {PAGES.filter(({ needs }) => permissions.has(needs)).map(({ to, label }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact: to === '/', includeSearch: false }}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
