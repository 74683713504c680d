import { Body as FromBody, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Named, Policy } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { API_PREFIX, HasId, JobView, KeptAs, PathId, Problems, Returns } from '@atrium/platform/http';
import type { Job } from '@atrium/platform/messaging';
import type { Response } from 'express';
import { AuditEventsService } from '../application/audit-events.service';
import type { AuditEvent } from '../domain/audit-event';
import type { AuditSeal, Verdict } from '../domain/audit-seal';
import {
  AuditEventPage,
  AuditEventView,
  AuditSealPage,
  AuditTypePage,
  AuditTypeView,
  AuditVerdict,
  ListAuditEvents,
  ListAuditSeals,
  ListAuditTypes,
  VerifyAudit,
} from './audit.dto';

/** The audit trail of the workspace. */
@ApiTags('Audit')
@Controller('admin/audit-events')
export class AuditEventsController {
  constructor(private readonly audit: AuditEventsService) {}

  /**
   * Lists administrative changes with their actors and targets.
   *
   * Sorted by time, newest first. To follow new events, sort by `aud_timestamp`, store the last cursor and continue from it.
   */
  @Get()
  @Policy({ any: ['admin:audit'] })
  @Returns(AuditEventPage, 'A page of events.')
  list(@Query() query: ListAuditEvents): Promise<Page<AuditEvent>> {
    return this.audit.list(query);
  }

  /**
   * Lists the types of events.
   *
   * Sorted by name; without `limit`, one page contains all of them.
   */
  @Get('types')
  @Policy({ any: ['admin:audit'] })
  @Returns(AuditTypePage, 'The types of events.')
  types(@Query() query: ListAuditTypes): Page<{ readonly aud_type: string; readonly about: string }> {
    return pageOfRows(AuditTypeView, this.audit.listTypes(), query, ({ aud_type }) => aud_type);
  }

  /**
   * Verifies the audit trail against its seals.
   *
   * Compares every sealed event with its seal, and every seal with its signature and the previous seal, and reports the first
   * mismatch. More than a million events are verified in the background: the response is 202 with the job, whose `result` is the
   * verdict.
   */
  @Post('verify')
  @Named('verifyAuditChain')
  @Policy({ any: ['admin:audit'] }, { rate: 'admin-report' })
  @Returns(AuditVerdict, 'The verdict.')
  @KeptAs((job: Partial<Job>) =>
    job.job_id === undefined ? undefined : { status: 202, body: job, headers: { Location: `/${API_PREFIX}/jobs/${job.job_id}` } },
  )
  @ApiResponse({
    status: 202,
    type: JobView,
    description: 'Accepted; poll the job.',
    headers: { Location: { description: 'Address of the job.', schema: { type: 'string' } } },
  })
  async verify(@FromBody() { from, to }: VerifyAudit, @Res({ passthrough: true }) response: Response): Promise<Verdict | Job> {
    const outcome = await this.audit.verifyRange({ from: from ?? undefined, to: to ?? undefined });
    if ('verdict' in outcome) return outcome.verdict;
    response.status(202).setHeader('Location', `/${API_PREFIX}/jobs/${outcome.job.job_id}`);
    return outcome.job;
  }

  /**
   * Reads one event.
   */
  @Get(':id')
  @Policy({ any: ['admin:audit'] })
  @HasId('id', 'Id of the event.')
  @Returns(AuditEventView, 'The event.')
  @Problems('not_found')
  get(@PathId() id: string): Promise<AuditEvent> {
    return this.audit.get(id);
  }
}

/** The seals over the audit trail. */
@ApiTags('Audit')
@Controller('admin/audit-seals')
export class AuditSealsController {
  constructor(private readonly audit: AuditEventsService) {}

  /**
   * Lists the seals of the audit trail.
   *
   * Sorted by creation time, newest first. Store a copy elsewhere: with it and the keys at `/.well-known/jwks.json`, anyone can later
   * prove that neither events nor seals were changed.
   */
  @Get()
  @Policy({ any: ['admin:audit'] })
  @Returns(AuditSealPage, 'A page of seals.')
  list(@Query() query: ListAuditSeals): Promise<Page<AuditSeal>> {
    return this.audit.listSeals(query);
  }
}
