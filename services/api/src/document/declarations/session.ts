import { Get, OperationId, Route, Security, Tags } from '@tsoa/runtime';
import type { TokenSession } from '../../contract/session.js';
import { declared } from './declared.js';

@Route('session')
@Tags('Session')
export class Session {
  /**
   * The workspace, the permissions and the limits of the token that calls. For clients that know only the token. Any valid
   * token may call it.
   * @summary Get the token's workspace and permissions
   */
  @Get()
  @OperationId('get_session')
  @Security('bearer')
  getSession(): TokenSession {
    return declared;
  }
}
