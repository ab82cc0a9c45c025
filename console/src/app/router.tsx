import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import { ErrorPanel } from '../ui/error-panel.js';
import { NotFound } from './not-found.js';
import { Shell } from './shell.js';

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound });

const overview = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('../overview/overview-page.js'), 'OverviewPage'),
});
const endpoints = createRoute({
  getParentRoute: () => root,
  path: '/endpoints',
  component: lazyRouteComponent(() => import('../endpoints/endpoints-page.js'), 'EndpointsPage'),
});
const endpoint = createRoute({
  getParentRoute: () => root,
  path: '/endpoints/$endpointId',
  component: lazyRouteComponent(() => import('../endpoints/endpoint-page.js'), 'EndpointPage'),
});
const delivery = createRoute({
  getParentRoute: () => root,
  path: '/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('../deliveries/delivery-page.js'), 'DeliveryPage'),
});

const playground = createRoute({
  getParentRoute: () => root,
  path: '/signature-check',
  component: lazyRouteComponent(() => import('../playground/playground-page.js'), 'PlaygroundPage'),
});

/** Addresses are in the fragment, so that the static files work below any path. */
export const router = createRouter({
  routeTree: root.addChildren([overview, endpoints, endpoint, delivery, playground]),
  history: createHashHistory(),
  defaultErrorComponent: ({ error, reset }) => <ErrorPanel error={error} onRetry={reset} />,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
