import { Body as FromBody, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Named, Policy } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { AccessList, VersionedAccessList } from './acl-sources';
import { AccessListPage, AccessListView, ListAccessLists, ReplaceAccessList } from './access-lists.dto';
import { AccessLists } from './access-lists';

@ApiTags('Roles')
@Controller('admin/access-lists')
export class AccessListsController {
  constructor(private readonly lists: AccessLists) {}

  /**
   * Lists the rows of all areas that have an access list.
   *
   * Sorted by id. Each entry names who is on the list and who created the row, but not its name or content: an administrator who is
   * not on a list cannot read the row here either. Access to threads is managed by their owners and is not listed.
   */
  @Get()
  @Named('listAccessLists')
  @Policy({ all: ['admin:settings'] })
  @Returns(AccessListPage, 'A page of access lists.')
  list(@Query() query: ListAccessLists): Promise<Page<AccessList>> {
    return this.lists.list(query);
  }

  /**
   * Replaces the access list of a row, whether or not you are on it.
   *
   * Use it for rows that no active member can reach. The change is audited with both lists. A list that names anyone must keep at
   * least one owner; an empty list opens the row to everyone with the permission of its area. The list of a deleted row cannot be
   * changed until the row is restored.
   */
  @Put(':type/:id')
  @Named('replaceAccessList')
  @Policy({ all: ['admin:settings'] })
  @ApiParam({ name: 'type', description: 'Kind of the row.', schema: { type: 'string', maxLength: 64, example: 'album' } })
  @HasId('id', 'Id of the row.')
  @HonoursIfMatch()
  @ReturnsState(AccessListView, 'The access list.')
  @Problems('invalid_state', 'precondition_failed')
  replace(
    @Param('type') type: string,
    @PathId() id: string,
    @FromBody() { acl }: ReplaceAccessList,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedAccessList> {
    return this.lists.replace(type, id, acl, precondition);
  }
}
