import { Body as FromBody, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns } from '@atrium/platform/http';
import { LegalHoldsService, type LegalHoldRow } from '../application/legal-holds.service';
import { CreateLegalHold, LegalHoldPage, LegalHoldView, ListLegalHolds } from './retention.dto';

/** What is kept for a legal matter, whatever retention says. */
@ApiTags('Audit')
@Controller('admin/legal-holds')
export class LegalHoldsController {
  constructor(private readonly holds: LegalHoldsService) {}

  /** Lists legal holds, including released ones. */
  @Get()
  @Policy({ all: ['admin:audit', 'admin:settings'] })
  @Returns(LegalHoldPage, 'A page of legal holds.')
  list(@Query() query: ListLegalHolds): Promise<Page<LegalHoldRow>> {
    return this.holds.list(query);
  }

  /**
   * Places a legal hold on a person, file, album, thread or knowledge base.
   *
   * From the response on, none of the target's data is removed by retention, by emptying the trash, by pruning versions or by erasure.
   * A target can have several holds, for example one for each matter. 400 if the target does not exist.
   */
  @Post()
  @Policy({ all: ['admin:audit', 'admin:settings'] })
  @Creates(LegalHoldView, 'admin/legal-holds?lh_target_id={lh_target_id}')
  put(@Caller() caller: Principal, @FromBody() body: CreateLegalHold): Promise<LegalHoldRow> {
    return this.holds.create(caller, body);
  }

  /**
   * Releases a legal hold.
   *
   * It remains listed with `lh_released_at`. Data it protected is removed by the next retention run if it is due.
   */
  @Delete(':id')
  @Named('releaseLegalHold')
  @Policy({ all: ['admin:audit', 'admin:settings'] })
  @HasId('id', 'Id of the legal hold.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed')
  release(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.holds.release(id, precondition);
  }
}
