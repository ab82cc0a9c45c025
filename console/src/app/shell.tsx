import { Link, Outlet, useMatchRoute } from '@tanstack/react-router';
import { useState } from 'react';
import { currentSession } from '../session/session.js';
import { useSessions } from '../session/session-provider.js';
import { SessionQueries } from '../session/session-queries.js';
import { OpeningError } from '../sign-in/opening-error.js';
import { SignInPage } from '../sign-in/sign-in-page.js';
import { WaitingLink } from '../sign-in/waiting-link.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { classNames } from '../ui/class-names.js';
import { Icon } from '../ui/icon.js';
import { LeaveQuestion } from '../ui/leave-question.js';
import { IsLinkSession } from '../ui/link-ended.js';
import { Loading } from '../ui/loading.js';
import { Brand } from './brand.js';
import { Navigation } from './navigation.js';
import styles from './shell.module.css';
import { ThemeChoice } from './theme-choice.js';
import { WorkspaceChoice } from './workspace-choice.js';
import { ZoneChoice } from './zone-choice.js';

/**
 * The frame of every page. Without a session the sign-in takes the place of the page, unless the page is for people who have
 * none; the address stays.
 */
export function Shell() {
  const { sessions, isOpening } = useSessions();
  const session = currentSession(sessions);
  const isForAll = useMatchRoute()({ to: '/invitations/$slug/$invitationId/$acceptToken' }) !== false;
  const [isMenuOpen, setMenuOpen] = useState(false);
  const closeMenu = () => setMenuOpen(false);
  return (
    <div className={classNames(styles.shell, session === null && styles.alone)}>
      <button type="button" className={styles.skip} onClick={focusMain}>
        {texts.navigation.skip}
      </button>
      <header className={styles.header}>
        <div className={styles.top}>
          <Link to="/" className={styles.brand ?? ''} onClick={closeMenu}>
            <Brand />
            {texts.product}
          </Link>
          {session !== null && (
            <span className={styles.menuButton}>
              <Button look="quiet" aria-expanded={isMenuOpen} onPress={() => setMenuOpen(!isMenuOpen)}>
                <Icon name="menu" />
                {texts.navigation.menu}
              </Button>
            </span>
          )}
        </div>
        <div className={classNames(styles.menu, isMenuOpen && styles.open)}>
          {session !== null && <Navigation onNavigate={closeMenu} />}
          <div className={styles.tools}>
            {session !== null && <WorkspaceChoice />}
            <ThemeChoice />
            {session !== null && <ZoneChoice />}
          </div>
        </div>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        {isOpening && session === null ? (
          <Loading />
        ) : isForAll ? (
          <Outlet />
        ) : session === null ? (
          <SignInPage />
        ) : (
          <SessionQueries key={session.token}>
            <OpeningError />
            <IsLinkSession value={session.source === 'portal_link'}>
              <Outlet />
            </IsLinkSession>
          </SessionQueries>
        )}
      </main>
      <WaitingLink />
      <LeaveQuestion />
    </div>
  );
}

/** A link to the fragment would change the address of the page. */
function focusMain(): void {
  document.getElementById('main')?.focus();
}
