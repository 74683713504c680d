import { Body as FromBody, Controller, Delete, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Named, Policy } from '@atrium/platform/access';
import { pageOfRows, type Page } from '@atrium/platform/database';
import { Creates, Deletes, HasId, PathId, Problems, Returns } from '@atrium/platform/http';
import { SlotsService, type NextSlot, type SlotRow } from '../application/slots.service';
import {
  CreateSocialSlot,
  ListSocialSlots,
  NextSlotPage,
  NextSlotsQuery,
  NextSlotView,
  SocialSlotPage,
  SocialSlotView,
} from './calendar.dto';

const LICENSE = 'module-social-post';
const ADMIN = { all: ['admin:social'], license: LICENSE } as const;

/** The weekly posting schedule. */
@ApiTags('Social calendar')
@Controller('admin/social/slots')
export class SocialSlotsController {
  constructor(private readonly slots: SlotsService) {}

  /**
   * Lists the slots of the posting schedule.
   *
   * The newest come first.
   */
  @Get()
  @Named('listSocialSlots')
  @Policy(ADMIN)
  @Returns(SocialSlotPage, 'A page of slots.')
  list(@Query() query: ListSocialSlots): Promise<Page<SlotRow>> {
    return this.slots.list(query);
  }

  /**
   * Adds a slot to the posting schedule.
   *
   * Posts scheduled with `next_slot` take the next slot that is free for their targets. A workspace can have at most
   * 500 slots.
   */
  @Post()
  @Named('createSocialSlot')
  @Policy(ADMIN)
  @Creates(SocialSlotView, 'admin/social/slots/{sls_id}')
  @Problems('already_exists', 'limit_reached')
  create(@FromBody() body: CreateSocialSlot): Promise<SlotRow> {
    return this.slots.create(body);
  }

  /**
   * Lists the next slots that are free.
   *
   * A slot is free if no other post of the targets is sent within its minute.
   */
  @Get('next')
  @Named('listNextSocialSlots')
  @Policy({ any: ['admin:social', 'social:view'], license: LICENSE })
  @Returns(NextSlotPage, 'The slots, by time.')
  async listNext(@Query() query: NextSlotsQuery): Promise<Page<NextSlot>> {
    return pageOfRows(NextSlotView, await this.slots.listNext(query), query, ({ at, sls_id }) => `${at.toISOString()} ${sls_id}`);
  }

  /**
   * Deletes a slot of the posting schedule.
   *
   * Posts keep the times that it provided.
   */
  @Delete(':id')
  @Named('deleteSocialSlot')
  @HasId('id', 'Id of the slot.')
  @Policy(ADMIN)
  @Deletes()
  remove(@PathId() id: string): Promise<void> {
    return this.slots.remove(id);
  }
}
