import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession, useSessions } from '../session/session-provider.js';
import { SignInDialog } from '../sign-in/sign-in-dialog.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { mayLeave } from '../ui/leave-guards.js';
import { sectionOf } from './section-of.js';
import styles from './shell.module.css';

/**
 * Switches between the workspaces that this tab is signed in to, adds one, and signs out. Each leaves the page first: what
 * its address names exists in one workspace only.
 */
export function WorkspaceChoice() {
  const { sessions, show, signOut } = useSessions();
  const { workspace } = useSession();
  const leavePage = useLeavePage();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <label className={styles.tool}>
        {texts.workspace.label}
        <select
          value={workspace.slug}
          onChange={({ target: { value } }) => void leavePage().then((isLeft) => isLeft && show(value))}
        >
          {sessions.all.map((session) => (
            <option key={session.workspace.slug} value={session.workspace.slug}>
              {session.workspace.name}
            </option>
          ))}
        </select>
      </label>
      <div className={styles.toolButtons}>
        <Button look="quiet" onPress={() => setAdding(true)}>
          {texts.workspace.add}
        </Button>
        <Button
          look="quiet"
          onPress={() => void leavePage().then((isLeft) => isLeft && signOut(workspace.slug))}
        >
          {texts.workspace.signOut}
        </Button>
      </div>
      {isAdding && <SignInDialog leavePage={leavePage} onClose={() => setAdding(false)} />}
    </>
  );
}

/** Opens the list to which the page belongs, without filters. False if a person prefers to stay. */
function useLeavePage(): () => Promise<boolean> {
  const router = useRouter();
  const navigate = useNavigate();
  return async () => {
    // Asked here: the promise of a navigation that the router blocks is resolved by the next navigation.
    if (!(await mayLeave())) return false;
    const to = sectionOf(router.state.location.pathname);
    if (to !== null) await navigate({ to, ignoreBlocker: true });
    return true;
  };
}
