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
   * Asks for a copy of your data, or that it is erased.
   *
   * An export begins at once and can be fetched for the days that the policy `exports` says, seven as a rule. An erasure
   * waits for an administrator and begins seven days later at the earliest; from then on you can not sign in to the workspace. What you made for it stays, without
   * your name. 409 `already_exists` while one of the kind is open, 409 `invalid_state` when nobody else owns the workspace.
   */
  @Post()
  @Policy(self, { byKey: 'refused' })
  @Starts(PrivacyRequestView, 'me/privacy-requests/{dsr_id}')
  @Problems('permission_denied', 'already_exists', 'invalid_state')
  ask(@Caller() caller: Principal, @FromBody() body: AskForOwnData): Promise<PrivacyRequestRow> {
    return this.requests.askForSelf(caller, body);
  }

  /** Lists what you asked for, newest first. */
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
  one(@Caller() caller: Principal, @PathId() id: string): Promise<PrivacyRequestRow> {
    return this.requests.getOwn(caller, id);
  }

  /** Withdraws one of your privacy requests; 409 once it has begun. */
  @Delete(':id')
  @Named('cancelMyPrivacyRequest')
  @Policy(self, { byKey: 'refused' })
  @HasId('id', 'Id of the privacy request.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('invalid_state', 'precondition_failed')
  async cancel(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    await this.requests.cancelOwn(caller, id, precondition);
  }

  /**
   * Signs an address from which your archive can be fetched.
   *
   * It works for 15 minutes. 409 before the export is completed, 410 after `dsr_expires_at`.
   */
  @Get(':id/download-url')
  @Policy(self, { byKey: 'refused' })
  @HasId('id', 'Id of the privacy request.')
  @Returns(ArchiveAddressView, 'The address.')
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

  /** Lists the privacy requests of the workspace, newest first. */
  @Get()
  @Policy({ all: PRIVACY })
  @Returns(PrivacyRequestPage, 'A page of privacy requests.')
  list(@Query() query: ListPrivacyRequests): Promise<Page<PrivacyRequestRow>> {
    return this.requests.list(query);
  }

  /**
   * Orders the export or the erasure of a person.
   *
   * It begins after `execute_after_days`. When an erasure begins, the membership is suspended at once; then everything that
   * lets the person in is deleted, their name and address are taken out of the whole workspace, what they made stays
   * under an id that names nobody, and `dsr_report` tells table by table what became of it and why. The account goes too
   * when no other workspace knows the person. 409 `already_exists` while one of the kind is open for the person, 409
   * `invalid_state` for the last owner and for yourself, 403 for who may more than you.
   */
  @Post()
  @Policy({ all: PRIVACY, log: 'shape' })
  @Starts(PrivacyRequestView, 'admin/privacy-requests/{dsr_id}')
  @Problems('permission_denied', 'already_exists', 'invalid_state')
  order(@Caller() caller: Principal, @FromBody() body: OrderPrivacyRequest): Promise<PrivacyRequestRow> {
    return this.requests.order(caller, body);
  }

  /** Reads one privacy request with its report. */
  @Get(':id')
  @Policy({ all: PRIVACY })
  @HasId('id', 'Id of the privacy request.')
  @ReturnsResource(PrivacyRequestView)
  one(@PathId() id: string): Promise<PrivacyRequestRow> {
    return this.requests.get(id);
  }

  /**
   * Approves the erasure that a person asked for.
   *
   * It begins at `dsr_execute_after`, or now when that is over. 409 in any other state, and for one's own.
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
   * Puts a privacy request on again that was blocked or has failed.
   *
   * 409 while a legal hold keeps the person, and in any other state.
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
   * Signs an address from which the archive of an export can be fetched.
   *
   * It works for 15 minutes and is noted in the audit trail. 409 before the export is completed, 410 after
   * `dsr_expires_at`.
   */
  @Get(':id/download-url')
  @Policy({ all: PRIVACY })
  @HasId('id', 'Id of the privacy request.')
  @Returns(ArchiveAddressView, 'The address.')
  @Problems('permission_denied', 'invalid_state', 'gone')
  address(@Caller() caller: Principal, @PathId() id: string): Promise<ArchiveAddress> {
    return this.requests.address(caller, id);
  }
}
