import {
  Body,
  Delete,
  Extension,
  Get,
  OperationId,
  Path,
  Post,
  Query,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { Page } from '../../contract/page.js';
import type { CreatedPortalLink, CreatePortalLink, PortalLink } from '../../contract/portal-link.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/portal-links')
@Tags('API tokens')
export class PortalLinks {
  /**
   * The portal links of the workspace, newest first, without their tokens. A link stays in the list until a day after its
   * expiry.
   * @summary List portal links
   */
  @Get()
  @OperationId('list_portal_links')
  @Security('bearer', ['portal_link:create'])
  list(@Query() limit?: number, @Query() cursor?: string): Page<PortalLink> {
    return declared;
  }

  /**
   * Creates a link that signs a customer in to the console. It expires on its own, and ends with the token that
   * created it. With `endpointIds` it gives access to these endpoints and their deliveries only, and cannot create
   * endpoints. A portal link can create neither tokens nor portal links.
   * @summary Create a portal link
   */
  @Post()
  @OperationId('create_portal_link')
  @Extension('x-destructive', true)
  @Security('bearer', ['portal_link:create'])
  @Extension('x-input-rules', 'portal-link')
  @Extension('x-refusals', ['InvalidScope', 'ScopeExceedsAuthority', 'EndpointNotFound', 'UpgradeInProgress'])
  @SuccessResponse(201, 'Created')
  create(@Body() body: CreatePortalLink): CreatedPortalLink {
    return declared;
  }

  /**
   * Ends a portal link at once. Ending it again changes nothing.
   * @summary Revoke a portal link
   */
  @Delete('{portalLinkId}')
  @OperationId('revoke_portal_link')
  @Security('bearer', ['portal_link:create'])
  @Extension('x-refusals', ['PortalLinkNotFound'])
  @SuccessResponse(204, 'Revoked')
  revoke(@Path() portalLinkId: string): void {}
}
