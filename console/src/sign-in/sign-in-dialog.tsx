import { texts } from '../texts/en.js';
import { Dialog } from '../ui/dialog.js';
import { SignInForm } from './sign-in-form.js';

interface SignInDialogProps {
  leavePage(): Promise<boolean>;
  onClose(): void;
}

/** Signs in to one more workspace. */
export function SignInDialog({ leavePage, onClose }: SignInDialogProps) {
  return (
    <Dialog title={texts.signIn.title} onClose={onClose}>
      <SignInForm leavePage={leavePage} onSignedIn={onClose} />
    </Dialog>
  );
}
