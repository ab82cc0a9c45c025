import { createHashHistory, createRootRoute, createRoute, createRouter } from '@tanstack/react-router';
import { readAuditFilter } from '../audit-log/audit-filter.js';
import { readDeliveryFilter } from '../deliveries/delivery-filter.js';
import { readEndpointFilter } from '../endpoints/endpoint-filter.js';
import { readFirstSteps } from '../first-steps/first-steps.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { PageFailed } from '../ui/page-failed.js';
import { lazyPage } from './lazy-page.js';
import { NotFound } from './not-found.js';
import { Shell } from './shell.js';
import { startPage } from './start-page.js';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: startPage(lazyPage(() => import('../overview/overview-page.js'), 'OverviewPage')),
});
const endpoints = createRoute({
  getParentRoute: () => root,
  path: '/endpoints',
  validateSearch: readEndpointFilter,
  component: lazyPage(() => import('../endpoints/endpoints-page.js'), 'EndpointsPage'),
});
const firstSteps = createRoute({
  getParentRoute: () => root,
  path: '/endpoints/new',
  validateSearch: readFirstSteps,
  component: lazyPage(() => import('../first-steps/first-steps-page.js'), 'FirstStepsPage'),
});
const endpoint = createRoute({
  getParentRoute: () => root,
  path: '/endpoints/$endpointId',
  component: lazyPage(() => import('../endpoints/endpoint-page.js'), 'EndpointPage'),
});
const deliveries = createRoute({
  getParentRoute: () => root,
  path: '/deliveries',
  validateSearch: readDeliveryFilter,
  component: lazyPage(() => import('../deliveries/deliveries-page.js'), 'DeliveriesPage'),
});
const delivery = createRoute({
  getParentRoute: () => root,
  path: '/deliveries/$deliveryId',
  component: lazyPage(() => import('../deliveries/delivery-page.js'), 'DeliveryPage'),
});

const replays = createRoute({
  getParentRoute: () => root,
  path: '/replays',
  component: lazyPage(() => import('../replays/replay-jobs-page.js'), 'ReplayJobsPage'),
});
const newReplay = createRoute({
  getParentRoute: () => root,
  path: '/replays/new',
  validateSearch: readDeliveryFilter,
  component: lazyPage(() => import('../replays/new-replay-page.js'), 'NewReplayPage'),
});
const replay = createRoute({
  getParentRoute: () => root,
  path: '/replays/$jobId',
  component: lazyPage(() => import('../replays/replay-job-page.js'), 'ReplayJobPage'),
});
const playground = createRoute({
  getParentRoute: () => root,
  path: '/signature-check',
  component: lazyPage(() => import('../playground/playground-page.js'), 'PlaygroundPage'),
});
const eventTypes = createRoute({
  getParentRoute: () => root,
  path: '/event-types',
  component: lazyPage(() => import('../event-types/event-types-page.js'), 'EventTypesPage'),
});
const notifications = createRoute({
  getParentRoute: () => root,
  path: '/notifications',
  component: lazyPage(() => import('../notifications/notifications-page.js'), 'NotificationsPage'),
});
const members = createRoute({
  getParentRoute: () => root,
  path: '/members',
  component: lazyPage(() => import('../members/members-page.js'), 'MembersPage'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitations/$slug/$invitationId/$acceptToken',
  component: lazyPage(() => import('../members/invitation-page.js'), 'InvitationPage'),
});
const tokens = createRoute({
  getParentRoute: () => root,
  path: '/tokens',
  component: lazyPage(() => import('../tokens/tokens-page.js'), 'TokensPage'),
});
const portalLinks = createRoute({
  getParentRoute: () => root,
  path: '/portal-links',
  component: lazyPage(() => import('../portal-links/portal-links-page.js'), 'PortalLinksPage'),
});
const auditLog = createRoute({
  getParentRoute: () => root,
  path: '/audit-log',
  validateSearch: readAuditFilter,
  component: lazyPage(() => import('../audit-log/audit-log-page.js'), 'AuditLogPage'),
});

/** Addresses are in the fragment, so that the static files work below any path. */
export const router = createRouter({
  routeTree: root.addChildren([
    overview,
    endpoints,
    firstSteps,
    endpoint,
    deliveries,
    delivery,
    replays,
    newReplay,
    replay,
    eventTypes,
    notifications,
    members,
    invitation,
    tokens,
    portalLinks,
    auditLog,
    playground,
  ]),
  history: createHashHistory(),
  defaultErrorComponent: ({ error, reset }) => (
    <ErrorPanel error={new PageFailed('', { cause: error })} onRetry={reset} />
  ),
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
