import { texts } from '../texts/en.js';
import { Dialog } from '../ui/dialog.js';
import { SignInForm } from './sign-in-form.js';

/** Signs in to one more workspace. */
export function SignInDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={texts.signIn.title} onClose={onClose}>
      <SignInForm onSignedIn={onClose} />
    </Dialog>
  );
}
