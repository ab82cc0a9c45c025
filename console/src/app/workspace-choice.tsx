import { useState } from 'react';
import { useSession, useSessions } from '../session/session-provider.js';
import { SignInDialog } from '../sign-in/sign-in-dialog.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import styles from './shell.module.css';

/** Switches between the workspaces that this tab is signed in to, adds one, and signs out. */
export function WorkspaceChoice() {
  const { sessions, show, signOut } = useSessions();
  const { workspace } = useSession();
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      <label className={styles.tool}>
        {texts.workspace.label}
        <select value={workspace.slug} onChange={({ target }) => show(target.value)}>
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
        <Button look="quiet" onPress={() => signOut(workspace.slug)}>
          {texts.workspace.signOut}
        </Button>
      </div>
      {isAdding && <SignInDialog onClose={() => setAdding(false)} />}
    </>
  );
}
