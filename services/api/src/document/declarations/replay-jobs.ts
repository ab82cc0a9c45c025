import {
  Body,
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
import type { CreateReplayJob, ReplayJob } from '../../contract/replay-job.js';
import { declared } from './declared.js';

@Route('workspaces/{slug}/webhooks/replay-jobs')
@Tags('Replay jobs')
export class ReplayJobs {
  /**
   * The replay jobs of the workspace, newest first. Jobs are kept for 30 days after their end. A portal link with endpoints sees
   * theirs alone: then a page may be short, or even empty, while `nextCursor` is set.
   * @summary List replay jobs
   */
  @Get()
  @OperationId('list_replay_jobs')
  @Security('bearer', ['replay_job:list'])
  list(@Query() limit?: number, @Query() cursor?: string): Page<ReplayJob> {
    return declared;
  }

  /**
   * Sends many failed deliveries again in the background, oldest first, each as a new delivery with `replayedFrom`. Start
   * with `dryRun`: it only counts what matches and, in `skipped`, how much of that would not be sent. Deliveries that were
   * replayed before are skipped unless `includeReplayed` is set. At most five jobs of a workspace run
   * at a time.
   * @summary Replay many deliveries
   */
  @Post()
  @OperationId('create_replay_job')
  @Security('bearer', ['replay_job:create'])
  @Extension('x-input-rules', 'replay-job')
  @Extension('x-refusals', ['EndpointNotFound', 'EndpointDisabled', 'TooManyReplayJobs', 'UpgradeInProgress'])
  @SuccessResponse(202, 'Accepted')
  create(@Body() body: CreateReplayJob): ReplayJob {
    return declared;
  }

  /**
   * The state of a replay job, at most two seconds old. Once it has succeeded, `matched` is the sum of `replayed` and all
   * `skipped`; for a dry run `replayed` is 0, and `matched` minus all `skipped` would have been sent.
   * @summary Get a replay job
   */
  @Get('{jobId}')
  @OperationId('get_replay_job')
  @Security('bearer', ['replay_job:list'])
  @Extension('x-refusals', ['ReplayJobNotFound'])
  get(@Path() jobId: string): ReplayJob {
    return declared;
  }

  /**
   * Ends a replay job. What it has replayed already is still delivered.
   * @summary Cancel a replay job
   */
  @Post('{jobId}/cancel')
  @OperationId('cancel_replay_job')
  @Extension('x-destructive', true)
  @Security('bearer', ['replay_job:cancel'])
  @Extension('x-refusals', ['ReplayJobNotFound', 'ReplayJobEnded'])
  cancel(@Path() jobId: string): ReplayJob {
    return declared;
  }
}
