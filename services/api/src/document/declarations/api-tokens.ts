import {
  Body,
  Delete,
  Extension,
  Get,
  OperationId,
  Path,
  Post,
  Query,
  Response,
  Route,
  Security,
  SuccessResponse,
  Tags,
} from '@tsoa/runtime';
import type { ApiToken, CreateApiToken, CreatedApiToken } from '../../contract/api-token.js';
import type { Page } from '../../contract/page.js';
import type { Problem } from '../../contract/problem.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/api-tokens')
@Tags('API tokens')
@Response<Problem>('default', 'What went wrong')
export class ApiTokens {
  /**
   * The tokens of the workspace, newest first, including revoked and expired ones.
   * @summary List API tokens
   */
  @Get()
  @OperationId('list_api_tokens')
  @Security('bearer', ['api_token:list'])
  @SuccessResponse(200, 'OK')
  list(@Query() limit?: number, @Query() cursor?: string): Page<ApiToken> {
    return declared;
  }

  /**
   * Creates a token and returns its secret, this once. It cannot have more permissions than the token that creates it.
   * @summary Create an API token
   */
  @Post()
  @OperationId('create_api_token')
  @Security('bearer', ['api_token:create'])
  @Extension('x-refusals', ['InvalidScope', 'ScopeExceedsAuthority'])
  @SuccessResponse(201, 'Created')
  create(@Body() body: CreateApiToken): CreatedApiToken {
    return declared;
  }

  /**
   * The token is refused from then on. Revoking it again changes nothing.
   * @summary Revoke an API token
   */
  @Delete('{tokenId}')
  @OperationId('revoke_api_token')
  @Security('bearer', ['api_token:revoke'])
  @Extension('x-refusals', ['TokenNotFound'])
  @SuccessResponse(204, 'Revoked')
  revoke(@Path() tokenId: string): void {}
}
