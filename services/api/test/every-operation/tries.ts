import type { Scope } from '@postrider/shared/domain/permission';
import type { RefusalTag } from '@postrider/shared/domain/refusal';
import { type Things, WEBHOOK } from './things.js';

/** One request of an operation. */
export interface Try {
  /** Values of the path parameters. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** The scopes of the token; all by default. */
  readonly as?: readonly Scope[];
}

interface Tries {
  readonly works: () => Try | Promise<Try>;
  /** One request for each declared refusal. */
  readonly refused: Readonly<Partial<Record<RefusalTag, () => Try | Promise<Try>>>>;
}

const nothing = { works: () => ({}), refused: {} };

/** For each operation a successful request and one for each declared refusal. */
export function triesOf(things: Things): Readonly<Record<string, Tries>> {
  return {
    get_workspace_overview: nothing,
    list_notifications: nothing,
    list_audit_events: nothing,
    list_api_tokens: nothing,
    list_webhooks: nothing,
    list_members: nothing,
    list_invitations: nothing,
    change_plan: { works: () => ({ body: { plan: 'team' } }), refused: {} },
    ...tokenTries(things),
    ...memberTries(things),
    ...webhookTries(things),
    ...deliveryTries(things),
  };
}

const noEndpoint = () => ({ ids: { endpointId: 'whe_0' } });
const noDelivery = () => ({ ids: { deliveryId: 'whd_0' } });
const noMember = () => ({ ids: { memberId: 'mem_0' } });

function tokenTries(things: Things): Record<string, Tries> {
  return {
    create_api_token: {
      works: () => ({ body: { name: 'ci', scopes: ['read'] } }),
      refused: {
        InvalidScope: () => ({ body: { name: 'ci', scopes: ['root'] } }),
        ScopeExceedsAuthority: () => ({ body: { name: 'ci', scopes: ['read'] }, as: ['api_token:create'] }),
      },
    },
    revoke_api_token: {
      works: async () => ({ ids: { tokenId: await things.token() } }),
      refused: { TokenNotFound: () => ({ ids: { tokenId: 'tok_0' } }) },
    },
  };
}

function memberTries(things: Things): Record<string, Tries> {
  return {
    update_member_role: {
      works: async () => ({ ids: { memberId: await things.member('viewer') }, body: { role: 'admin' } }),
      refused: {
        MemberNotFound: () => ({ ...noMember(), body: { role: 'admin' } }),
        LastOwner: async () => ({ ids: { memberId: await things.theOwner() }, body: { role: 'viewer' } }),
      },
    },
    remove_member: {
      works: async () => ({ ids: { memberId: await things.member('viewer') } }),
      refused: {
        MemberNotFound: noMember,
        LastOwner: async () => ({ ids: { memberId: await things.theOwner() } }),
      },
    },
    invite_member: {
      works: () => ({ body: { email: things.email(), role: 'member' } }),
      refused: {
        AlreadyMember: async () => {
          const email = things.email();
          await things.member('viewer', email);
          return { body: { email, role: 'member' } };
        },
      },
    },
    revoke_invitation: {
      works: async () => ({ ids: { invitationId: (await things.invitation()).id } }),
      refused: {
        InvitationNotFound: () => ({ ids: { invitationId: 'inv_0' } }),
        InvitationNotAcceptable: async () => ({
          ids: { invitationId: (await things.acceptedInvitation()).id },
        }),
      },
    },
    accept_invitation: {
      works: async () => acceptance(await things.invitation()),
      refused: {
        InvitationNotFound: async () => acceptance({ ...(await things.invitation()), id: 'inv_0' }),
        InvitationNotAcceptable: async () => acceptance(await things.acceptedInvitation()),
        AlreadyMember: async () => {
          const invitation = await things.invitation();
          await things.member('viewer', invitation.email);
          return acceptance(invitation);
        },
      },
    },
  };
}

function acceptance({ id, acceptToken }: { id: string; acceptToken: string }): Try {
  return { ids: { invitationId: id }, body: { acceptToken } };
}

function webhookTries(things: Things): Record<string, Tries> {
  const own = async () => ({ ids: { endpointId: await things.endpoint() } });
  const deleted = async () => ({ ids: { endpointId: await things.deletedEndpoint() } });
  const disabled = async () => ({ ids: { endpointId: await things.endpoint({ enabled: false }) } });
  const unsafe = { url: 'https://localhost/x' };
  return {
    create_webhook: {
      works: () => ({ body: WEBHOOK }),
      refused: { InvalidWebhookUrl: () => ({ body: { ...WEBHOOK, ...unsafe } }) },
    },
    get_webhook: { works: own, refused: { EndpointNotFound: deleted } },
    update_webhook: {
      works: async () => ({ ...(await own()), body: { description: 'new' } }),
      refused: {
        InvalidWebhookUrl: async () => ({ ...(await own()), body: unsafe }),
        EndpointNotFound: async () => ({ ...(await deleted()), body: { description: 'new' } }),
      },
    },
    delete_webhook: { works: own, refused: { EndpointNotFound: deleted } },
    rotate_webhook_secret: { works: own, refused: { EndpointNotFound: deleted } },
    send_webhook_test_event: {
      works: own,
      refused: { EndpointNotFound: deleted, EndpointDisabled: disabled },
    },
    list_webhook_deliveries: { works: own, refused: { EndpointNotFound: noEndpoint } },
  };
}

function deliveryTries(things: Things): Record<string, Tries> {
  const failed = async (endpointId?: string) => ({
    ids: { deliveryId: await things.delivery('dead_lettered', endpointId) },
  });
  return {
    get_webhook_delivery: { works: () => failed(), refused: { DeliveryNotFound: noDelivery } },
    list_webhook_delivery_attempts: { works: () => failed(), refused: { DeliveryNotFound: noDelivery } },
    replay_webhook_delivery: {
      works: () => failed(),
      refused: {
        DeliveryNotFound: noDelivery,
        EndpointNotFound: async () => failed(await things.deletedEndpoint()),
        EndpointDisabled: async () => failed(await things.endpoint({ enabled: false })),
        DeliveryNotReplayable: async () => ({ ids: { deliveryId: await things.delivery('delivered') } }),
      },
    },
  };
}
