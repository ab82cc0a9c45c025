import type { SendingHold } from '@postrider/shared/domain/sending-hold';
import type * as wire from '../contract/sending-hold.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';

type Operation<Input, Answer> = (call: Call, input: Input) => Promise<Answer>;

/** Adds to the answers of an operation why sending is held, while it is. */
export function showHolds<Input, Answer extends object>(
  { sendingHolds }: Pick<Deps, 'sendingHolds'>,
  operation: Operation<Input, Answer>,
): Operation<Input, Answer & wire.WithSendingHolds> {
  return async (call, input) => {
    const [answer, holds] = await Promise.all([operation(call, input), sendingHolds()]);
    return holds.length === 0 ? answer : { ...answer, sendingHolds: holds.map(showHold) };
  };
}

function showHold({ cause, since }: SendingHold): wire.SendingHold {
  return { cause, since: since?.toISOString() ?? null };
}
