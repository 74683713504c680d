import { Body as FromBody, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, type Permission, Policy, type Principal, self } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsResource, Starts } from '@atrium/platform/http';
import { PrivacyRequests, type ArchiveAddress, type PrivacyRequestRow } from '../application/privacy-requests.service';
import {
  ArchiveAddressView,
  AskForOwnData,
  ListOwnPrivacyRequests,
  ListPrivacyRequests,
  OrderPrivacyRequest,
  PrivacyRequestPage,
  PrivacyRequestView,
} from './privacy-requests.dto';

const PRIVACY: readonly Permission[] = ['admin:users', 'admin:audit'];

/** What a person asks of their own data. */
@ApiTags('Me')
@Controller('me/privacy-requests')
export class OwnPrivacyRequestsController {
  constructor(private readonly requests: PrivacyRequests) {}

  /**
   * Requests an export or the erasure of your data.
   *
   * An export begins immediately and can be downloaded for the number of days set by the retention policy `exports`, seven by default.
   * An erasure must be approved by an administrator and begins after seven days at the earliest; from then on you cannot sign in to
   * the workspace. Content you created remains, without your name. 409 `already_exists` while a request of the same kind is open, 409
   * `invalid_state` if you are the only owner of the workspace.
   */
  @Post()
  @Policy(self, { byKey: 'refused' })
  @Starts(PrivacyRequestView, 'me/privacy-requests/{dsr_id}')
  @Problems('permission_denied', 'already_exists', 'invalid_state')
  ask(@Caller() caller: Principal, @FromBody() body: AskForOwnData): Promise<PrivacyRequestRow> {
    return this.requests.askForSelf(caller, body);
  }

  /**
   * Lists your privacy requests.
   *
   * Sorted by creation time, newest first.
   */
  @Get()
  @Policy(self, { byKey: 'refused' })
  @Returns(PrivacyRequestPage, 'A page of privacy requests.')
  list(@Caller() caller: Principal, @Query() query: ListOwnPrivacyRequests): Promise<Page<PrivacyRequestRow>> {
    return this.requests.listOwn(caller, query);
  }

  /** Reads one of your privacy requests; poll it until it is completed. */
  @Get(':id')
  @Policy(self, { byKey: 'refused' })
  @HasId('id', 'Id of the privacy request.')
  @ReturnsResource(PrivacyRequestView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<PrivacyRequestRow> {
    return this.requests.getOwn(caller, id);
  }

  /** Withdraws one of your privacy requests; 409 once it has begun. */
  @Delete(':id')
  @Named('cancelMyPrivacyRequest')
  @Policy(self, { byKey: 'refused' })
  @HasId('id', 'Id of the privacy request.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('invalid_state', 'precondition_failed')
  async cancel(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    await this.requests.cancelOwn(caller, id, precondition);
  }

  /**
   * Creates a signed URL to download your archive.
   *
   * It is valid for 15 minutes. 409 before the export is completed, 410 after `dsr_expires_at`.
   */
  @Get(':id/download-url')
  @Policy(self, { byKey: 'refused' })
  @HasId('id', 'Id of the privacy request.')
  @Returns(ArchiveAddressView, 'The signed URL.')
  @Problems('invalid_state', 'gone')
  address(@Caller() caller: Principal, @PathId() id: string): Promise<ArchiveAddress> {
    return this.requests.ownAddress(caller, id);
  }
}

/** Exports and erasures of people, for those who answer for them. */
@ApiTags('Users')
@Controller('admin/privacy-requests')
export class PrivacyRequestsController {
  constructor(private readonly requests: PrivacyRequests) {}

  /**
   * Lists the privacy requests of the workspace.
   *
   * Sorted by creation time, newest first.
   */
  @Get()
  @Policy({ all: PRIVACY })
  @Returns(PrivacyRequestPage, 'A page of privacy requests.')
  list(@Query() query: ListPrivacyRequests): Promise<Page<PrivacyRequestRow>> {
    return this.requests.list(query);
  }

  /**
   * Orders the export or erasure of a person.
   *
   * Processing begins after `execute_after_days`. When an erasure begins, the membership is suspended immediately. Then all
   * credentials of the person are deleted and their name and address are removed from the whole workspace; content they created
   * remains under an anonymous id. `dsr_report` states for each table what was done and why. The account is deleted as well if the
   * person belongs to no other workspace. 409 `already_exists` while a request of the same kind is open for the person, 409
   * `invalid_state` for the last owner and for yourself, 403 for a person who has more permissions than you.
   */
  @Post()
  @Policy({ all: PRIVACY, log: 'shape' })
  @Starts(PrivacyRequestView, 'admin/privacy-requests/{dsr_id}')
  @Problems('permission_denied', 'already_exists', 'invalid_state')
  order(@Caller() caller: Principal, @FromBody() body: OrderPrivacyRequest): Promise<PrivacyRequestRow> {
    return this.requests.create(caller, body);
  }

  /** Reads one privacy request with its report. */
  @Get(':id')
  @Policy({ all: PRIVACY })
  @HasId('id', 'Id of the privacy request.')
  @ReturnsResource(PrivacyRequestView)
  get(@PathId() id: string): Promise<PrivacyRequestRow> {
    return this.requests.get(id);
  }

  /**
   * Approves an erasure requested by a person.
   *
   * It begins at `dsr_execute_after`, or immediately if that time has passed. 409 in any other status, and for your own request.
   */
  @Post(':id/approve')
  @Policy({ all: PRIVACY })
  @HasId('id', 'Id of the privacy request.')
  @ReturnsResource(PrivacyRequestView)
  @Problems('permission_denied', 'invalid_state')
  approve(@Caller() caller: Principal, @PathId() id: string): Promise<PrivacyRequestRow> {
    return this.requests.approve(caller, id);
  }

  /** Cancels a privacy request that has not begun; 409 afterwards. */
  @Post(':id/cancel')
  @Policy({ all: PRIVACY })
  @HasId('id', 'Id of the privacy request.')
  @ReturnsResource(PrivacyRequestView)
  @Problems('permission_denied', 'invalid_state')
  cancel(@Caller() caller: Principal, @PathId() id: string): Promise<PrivacyRequestRow> {
    return this.requests.cancel(caller, id);
  }

  /**
   * Retries a privacy request that was blocked or has failed.
   *
   * 409 while a legal hold applies to the person, and in any other status.
   */
  @Post(':id/retry')
  @Policy({ all: PRIVACY })
  @HasId('id', 'Id of the privacy request.')
  @ReturnsResource(PrivacyRequestView)
  @Problems('permission_denied', 'already_exists', 'invalid_state')
  retry(@Caller() caller: Principal, @PathId() id: string): Promise<PrivacyRequestRow> {
    return this.requests.retry(caller, id);
  }

  /**
   * Creates a signed URL to download the archive of an export.
   *
   * It is valid for 15 minutes and recorded in the audit trail. 409 before the export is completed, 410 after `dsr_expires_at`.
   */
  @Get(':id/download-url')
  @Policy({ all: PRIVACY })
  @HasId('id', 'Id of the privacy request.')
  @Returns(ArchiveAddressView, 'The signed URL.')
  @Problems('permission_denied', 'invalid_state', 'gone')
  address(@Caller() caller: Principal, @PathId() id: string): Promise<ArchiveAddress> {
    return this.requests.getArchiveAddress(caller, id);
  }
}
