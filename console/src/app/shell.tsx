import { Link, Outlet } from '@tanstack/react-router';
import { currentSession } from '../session/session.js';
import { useSessions } from '../session/session-provider.js';
import { SignInPage } from '../sign-in/sign-in-page.js';
import { texts } from '../texts/en.js';
import { Loading } from '../ui/loading.js';
import { Navigation } from './navigation.js';
import styles from './shell.module.css';
import { ThemeChoice } from './theme-choice.js';
import { WorkspaceChoice } from './workspace-choice.js';

/** The frame of every page. Without a session the sign-in takes the place of the page; the address stays. */
export function Shell() {
  const { sessions, isOpening } = useSessions();
  const session = currentSession(sessions);
  return (
    <div className={styles.shell}>
      <button type="button" className={styles.skip} onClick={focusMain}>
        {texts.navigation.skip}
      </button>
      <header className={styles.header}>
        <Link to="/" className={styles.brand ?? ''}>
          {texts.product}
        </Link>
        {session !== null && <Navigation />}
        <div className={styles.tools}>
          {session !== null && <WorkspaceChoice />}
          <ThemeChoice />
        </div>
      </header>
      <main id="main" tabIndex={-1} className={styles.main}>
        {isOpening ? (
          <Loading />
        ) : session === null ? (
          <SignInPage />
        ) : (
          <Outlet key={session.workspace.slug} />
        )}
      </main>
    </div>
  );
}

/** A link to the fragment would change the address of the page. */
function focusMain(): void {
  document.getElementById('main')?.focus();
}
