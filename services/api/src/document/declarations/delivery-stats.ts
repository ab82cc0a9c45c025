import { Extension, Get, OperationId, Query, Route, Security, Tags } from '@tsoa/runtime';
import type { DeliveryStats } from '../../contract/delivery-stats.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/stats')
@Tags('Deliveries')
export class Stats {
  /**
   * Counts of the deliveries of the workspace, or of one endpoint, by the hour or the day, with percentiles of the duration of
   * attempts, rounded up by at most 26 %. Every step is listed, even without deliveries. Counts are a few seconds old.
   * @summary Count deliveries by the hour or the day
   * @param from The start, rounded down to a step; 24 hours before `to` by default
   * @param to The end, exclusive; now by default
   * @param step `hour` for at most 7 days; by default `hour` up to there, `day` beyond
   */
  @Get()
  @OperationId('get_delivery_stats')
  @Security('bearer', ['webhook:list'])
  @Extension('x-refusals', ['EndpointNotFound'])
  get(
    @Query() endpointId?: string,
    @Query() from?: Date,
    @Query() to?: Date,
    @Query() step?: 'hour' | 'day',
  ): DeliveryStats {
    return declared;
  }
}
