import { FIRST_LEVEL } from '@postrider/shared/domain/feature-level';
import type { Scope } from '@postrider/shared/domain/permission';
import type { RefusalTag } from '../../src/domain/refusal.js';
import { newId } from '../api-world.js';
import { type Resources, WEBHOOK } from './resources.js';

/** One request of an operation. */
export interface ApiRequest {
  /** Values of the path parameters. */
  readonly ids?: Readonly<Record<string, string>>;
  readonly body?: object;
  /** Like `?endpointId=whe_0`. */
  readonly query?: string;
  /** The scopes of the token; all by default. */
  readonly as?: readonly Scope[];
  /** The feature level during the request; the newest by default. */
  readonly featureLevel?: number;
  /** Undoes what the request needed. */
  readonly after?: () => Promise<unknown>;
}

interface Scenarios {
  readonly success: () => ApiRequest | Promise<ApiRequest>;
  /** One request for each declared refusal. */
  readonly refused: Readonly<Partial<Record<RefusalTag, () => ApiRequest | Promise<ApiRequest>>>>;
}

const nothing = { success: () => ({}), refused: {} };
const ofEndpoint = {
  success: () => ({}),
  refused: { EndpointNotFound: () => ({ query: '?endpointId=whe_0' }) },
};

/** For each operation a successful request and one for each declared refusal. */
export function scenariosOf(resources: Resources): Readonly<Record<string, Scenarios>> {
  return {
    get_workspace_overview: nothing,
    list_notifications: nothing,
    list_audit_events: nothing,
    list_api_tokens: nothing,
    list_portal_links: nothing,
    list_deliveries: ofEndpoint,
    get_delivery_stats: ofEndpoint,
    list_webhooks: nothing,
    list_members: nothing,
    list_invitations: nothing,
    change_plan: { success: () => ({ body: { plan: 'team' } }), refused: {} },
    ...tokenScenarios(resources),
    ...memberScenarios(resources),
    ...webhookScenarios(resources),
    ...deliveryScenarios(resources),
    ...replayJobScenarios(resources),
    ...eventScenarios(),
  };
}

const noEndpoint = () => ({ ids: { endpointId: 'whe_0' } });
const noDelivery = () => ({ ids: { deliveryId: 'whd_0' } });
const noMember = () => ({ ids: { memberId: 'mem_0' } });

function tokenScenarios(resources: Resources): Record<string, Scenarios> {
  return {
    create_api_token: {
      success: () => ({ body: { name: 'ci', scopes: ['read'] } }),
      refused: {
        InvalidScope: () => ({ body: { name: 'ci', scopes: ['root'] } }),
        ScopeExceedsAuthority: () => ({ body: { name: 'ci', scopes: ['read'] }, as: ['api_token:create'] }),
        TooManyTokens: async () => ({
          body: { name: 'ci', scopes: ['read'] },
          after: await resources.fullQuota('tokens'),
        }),
        UpgradeInProgress: () => ({
          body: { name: 'ci', scopes: ['event:publish'] },
          featureLevel: FIRST_LEVEL,
        }),
      },
    },
    create_portal_link: {
      success: () => ({ body: { expiresIn: 60 } }),
      refused: {
        InvalidScope: () => ({ body: { scopes: ['root'] } }),
        ScopeExceedsAuthority: () => ({ body: { scopes: ['read'] }, as: ['portal_link:create'] }),
        EndpointNotFound: () => ({ body: { endpointIds: ['whe_0'] } }),
        UpgradeInProgress: () => ({ body: {}, featureLevel: 1 }),
      },
    },
    revoke_portal_link: {
      success: async () => ({ ids: { portalLinkId: await resources.portalLink() } }),
      refused: { PortalLinkNotFound: () => ({ ids: { portalLinkId: 'ptl_0' } }) },
    },
    revoke_api_token: {
      success: async () => ({ ids: { tokenId: await resources.token() } }),
      refused: { TokenNotFound: () => ({ ids: { tokenId: 'tok_0' } }) },
    },
  };
}

function memberScenarios(resources: Resources): Record<string, Scenarios> {
  return {
    update_member_role: {
      success: async () => ({ ids: { memberId: await resources.member('viewer') }, body: { role: 'admin' } }),
      refused: {
        MemberNotFound: () => ({ ...noMember(), body: { role: 'admin' } }),
        LastOwner: async () => ({ ids: { memberId: await resources.theOwner() }, body: { role: 'viewer' } }),
      },
    },
    remove_member: {
      success: async () => ({ ids: { memberId: await resources.member('viewer') } }),
      refused: {
        MemberNotFound: noMember,
        LastOwner: async () => ({ ids: { memberId: await resources.theOwner() } }),
      },
    },
    invite_member: {
      success: () => ({ body: { email: resources.email(), role: 'member' } }),
      refused: {
        AlreadyMember: async () => {
          const email = resources.email();
          await resources.member('viewer', email);
          return { body: { email, role: 'member' } };
        },
      },
    },
    revoke_invitation: {
      success: async () => ({ ids: { invitationId: (await resources.invitation()).id } }),
      refused: {
        InvitationNotFound: () => ({ ids: { invitationId: 'inv_0' } }),
        InvitationNotAcceptable: async () => ({
          ids: { invitationId: (await resources.acceptedInvitation()).id },
        }),
      },
    },
    accept_invitation: {
      success: async () => acceptance(await resources.invitation()),
      refused: {
        InvitationNotFound: async () => acceptance({ ...(await resources.invitation()), id: 'inv_0' }),
        InvitationNotAcceptable: async () => acceptance(await resources.acceptedInvitation()),
        AlreadyMember: async () => {
          const invitation = await resources.invitation();
          await resources.member('viewer', invitation.email);
          return acceptance(invitation);
        },
      },
    },
  };
}

function acceptance({ id, acceptToken }: { id: string; acceptToken: string }): ApiRequest {
  return { ids: { invitationId: id }, body: { acceptToken } };
}

function webhookScenarios(resources: Resources): Record<string, Scenarios> {
  const own = async () => ({ ids: { endpointId: await resources.endpoint() } });
  const deleted = async () => ({ ids: { endpointId: await resources.deletedEndpoint() } });
  const disabled = async () => ({ ids: { endpointId: await resources.endpoint({ enabled: false }) } });
  const unsafe = { url: 'https://localhost/x' };
  return {
    create_webhook: {
      success: () => ({ body: WEBHOOK }),
      refused: {
        InvalidWebhookUrl: () => ({ body: { ...WEBHOOK, ...unsafe } }),
        UpgradeInProgress: () => ({ body: { ...WEBHOOK, eventTypes: ['*'] }, featureLevel: FIRST_LEVEL }),
        TooManyEndpoints: async () => ({ body: WEBHOOK, after: await resources.fullQuota('endpoints') }),
      },
    },
    get_webhook: { success: own, refused: { EndpointNotFound: deleted } },
    update_webhook: {
      success: async () => ({ ...(await own()), body: { description: 'new' } }),
      refused: {
        InvalidWebhookUrl: async () => ({ ...(await own()), body: unsafe }),
        EndpointNotFound: async () => ({ ...(await deleted()), body: { description: 'new' } }),
        TooManyReplayJobs: async () => {
          for (let count = 0; count < 5; count += 1) await resources.replayJob('counting');
          return { ...(await disabled()), body: { enabled: true, replayHeld: true } };
        },
        UpgradeInProgress: async () => ({
          ...(await own()),
          body: { eventTypes: ['*'] },
          featureLevel: FIRST_LEVEL,
        }),
      },
    },
    delete_webhook: { success: own, refused: { EndpointNotFound: deleted } },
    rotate_webhook_secret: { success: own, refused: { EndpointNotFound: deleted } },
    send_webhook_test_event: {
      success: own,
      refused: { EndpointNotFound: deleted, EndpointDisabled: disabled },
    },
    check_webhook_conformance: {
      success: own,
      refused: {
        EndpointNotFound: deleted,
        EndpointDisabled: disabled,
        UpgradeInProgress: async () => ({ ...(await own()), featureLevel: FIRST_LEVEL }),
      },
    },
    get_webhook_conformance_check: {
      success: async () => ({ ids: await resources.conformanceCheck() }),
      refused: {
        ConformanceCheckNotFound: async () => ({ ids: { ...(await own()).ids, checkId: 'chk_0' } }),
      },
    },
    list_webhook_deliveries: { success: own, refused: { EndpointNotFound: noEndpoint } },
  };
}

function deliveryScenarios(resources: Resources): Record<string, Scenarios> {
  const failed = async (endpointId?: string) => ({
    ids: { deliveryId: await resources.delivery('dead_lettered', endpointId) },
  });
  return {
    get_webhook_delivery: { success: () => failed(), refused: { DeliveryNotFound: noDelivery } },
    list_webhook_delivery_attempts: { success: () => failed(), refused: { DeliveryNotFound: noDelivery } },
    replay_webhook_delivery: {
      success: () => failed(),
      refused: {
        DeliveryNotFound: noDelivery,
        EndpointNotFound: async () => failed(await resources.deletedEndpoint()),
        EndpointDisabled: async () => failed(await resources.endpoint({ enabled: false })),
        DeliveryNotReplayable: async () => ({ ids: { deliveryId: await resources.delivery('delivered') } }),
      },
    },
  };
}

const PAID = { type: 'invoice.paid', data: { invoiceId: 'in_1', amount: 1 } };

function eventScenarios(): Record<string, Scenarios> {
  const unknown = { ...PAID, type: 'invoice.lost' };
  const reserved = { ...PAID, type: 'billing.plan_changed' };
  const tooEarly = { featureLevel: FIRST_LEVEL };
  return {
    explain_event: {
      success: () => ({ ids: { eventId: newId('event') } }),
      refused: { EventNotFound: () => ({ ids: { eventId: 'evt_0' } }) },
    },
    list_event_types: nothing,
    get_event_type: {
      success: () => ({ ids: { name: 'invoice.paid' } }),
      refused: { EventTypeNotFound: () => ({ ids: { name: 'invoice.lost' } }) },
    },
    publish_event: {
      success: () => ({ body: PAID }),
      refused: {
        UnknownEventType: () => ({ body: unknown }),
        ReservedEventType: () => ({ body: reserved }),
        UpgradeInProgress: () => ({ body: PAID, ...tooEarly }),
      },
    },
    publish_events: {
      success: () => ({ body: { events: [PAID, PAID] } }),
      refused: {
        UnknownEventType: () => ({ body: { events: [PAID, unknown] } }),
        ReservedEventType: () => ({ body: { events: [reserved] } }),
        UpgradeInProgress: () => ({ body: { events: [PAID] }, ...tooEarly }),
      },
    },
  };
}

function replayJobScenarios(resources: Resources): Record<string, Scenarios> {
  const createdAfter = '2026-01-01T00:00:00.000Z';
  const noJob = () => ({ ids: { jobId: 'rpl_0' } });
  const of = (endpointId: string) => ({ body: { createdAfter, endpointId, dryRun: true } });
  return {
    list_replay_jobs: nothing,
    create_replay_job: {
      success: async () => {
        await resources.endReplayJobs();
        return { body: { createdAfter, dryRun: true } };
      },
      refused: {
        EndpointNotFound: async () => of(await resources.deletedEndpoint()),
        EndpointDisabled: async () => of(await resources.endpoint({ enabled: false })),
        TooManyReplayJobs: async () => {
          for (let count = 0; count < 5; count += 1) await resources.replayJob('counting');
          return { body: { createdAfter } };
        },
        UpgradeInProgress: () => ({ body: { createdAfter }, featureLevel: FIRST_LEVEL }),
      },
    },
    get_replay_job: {
      success: async () => ({ ids: { jobId: await resources.replayJob('succeeded') } }),
      refused: { ReplayJobNotFound: noJob },
    },
    cancel_replay_job: {
      success: async () => ({ ids: { jobId: await resources.replayJob('counting') } }),
      refused: {
        ReplayJobNotFound: noJob,
        ReplayJobEnded: async () => ({ ids: { jobId: await resources.replayJob('succeeded') } }),
      },
    },
  };
}
