import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import { WildcardsService, type WildcardAnswer } from '../application/wildcards.service';
import { ChangeWildcard, CreateWildcard, ListWildcards, WildcardPage, WildcardView } from './wildcards.dto';

@ApiTags('Wildcards')
@Controller('wildcards')
export class WildcardsController {
  constructor(private readonly wildcards: WildcardsService) {}

  /**
   * Lists the wildcards with the numbers of prompts that use them.
   *
   * The newest come first. Deleted wildcards are listed only with `wildcard_active=false`.
   */
  @Get()
  @Policy({ any: ['prompt:view'] })
  @Returns(WildcardPage, 'A page of wildcards.')
  list(@Caller() caller: Principal, @Query() query: ListWildcards): Promise<Page<WildcardAnswer>> {
    return this.wildcards.list(caller, query);
  }

  /**
   * Creates a wildcard.
   *
   * The control type determines how the value is entered and how it appears in the text: a select inserts the label,
   * a date the day, a document its name. Unknown settings of a known control type are rejected. Fails with 409 if an
   * active wildcard has the same name.
   */
  @Post()
  @Policy({ all: ['prompt:edit'] })
  @Creates(WildcardView, 'wildcards/{wildcard_id}')
  @Problems('already_exists')
  create(@Caller() caller: Principal, @FromBody() body: CreateWildcard): Promise<WildcardAnswer> {
    return this.wildcards.create(caller, body);
  }

  /** Reads a wildcard. */
  @Get(':id')
  @Policy({ any: ['prompt:view'] })
  @HasId('id', 'Id of the wildcard.')
  @ReturnsState(WildcardView, 'The wildcard.')
  get(@Caller() caller: Principal, @PathId() id: string): Promise<WildcardAnswer> {
    return this.wildcards.get(caller, id);
  }

  /**
   * Changes a wildcard.
   *
   * Prompts that use it apply the change from their next run on. Renaming it does not change the text of prompts.
   * `wildcard_active: true` restores a deleted wildcard, which cannot be changed otherwise (409);
   * `wildcard_active: false` deletes it and requires `prompt:delete`.
   */
  @Patch(':id')
  @Policy({ all: ['prompt:edit'] })
  @HasId('id', 'Id of the wildcard.')
  @HonoursIfMatch()
  @ReturnsState(WildcardView, 'The wildcard.')
  @Problems('already_exists', 'invalid_state', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: ChangeWildcard,
    @IfMatch() precondition?: Precondition,
  ): Promise<WildcardAnswer> {
    return this.wildcards.change(caller, id, body, precondition);
  }

  /**
   * Deletes a wildcard.
   *
   * Prompts keep its name and accept any text for it.
   */
  @Delete(':id')
  @Policy({ all: ['prompt:delete'] })
  @HasId('id', 'Id of the wildcard.')
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('precondition_failed')
  remove(@PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.wildcards.remove(id, precondition);
  }
}
