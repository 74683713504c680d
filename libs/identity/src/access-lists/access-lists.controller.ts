import { Body as FromBody, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { Named, Policy } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { AccessList, VersionedAccessList } from './access-list.rows';
import { AccessListPage, AccessListView, ListAccessLists, ReplaceAccessList } from './access-lists.dto';
import { AccessLists } from './access-lists';

@ApiTags('Roles')
@Controller('admin/access-lists')
export class AccessListsController {
  constructor(private readonly lists: AccessLists) {}

  /**
   * Lists the rows of all areas that have an access list.
   *
   * By id. It names who is on a list and who made the row, not what the row is called or holds: an administrator who is not on a list
   * does not read the row here either. The access of threads belongs to their owners and is not listed.
   */
  @Get()
  @Named('listAccessLists')
  @Policy({ all: ['admin:settings'] })
  @Returns(AccessListPage, 'A page of access lists.')
  list(@Query() query: ListAccessLists): Promise<Page<AccessList>> {
    return this.lists.list(query);
  }

  /**
   * Replaces the access list of a row, whether or not the caller is on it.
   *
   * For rows that nobody reaches any more. The change is audited with both lists. A list that names anybody keeps at least one
   * owner; the empty one opens the row to everyone with the permission of its area.
   */
  @Put(':type/:id')
  @Named('replaceAccessList')
  @Policy({ all: ['admin:settings'] })
  @ApiParam({ name: 'type', description: 'Kind of the row.', schema: { type: 'string', maxLength: 64, example: 'album' } })
  @HasId('id', 'Id of the row.')
  @HonoursIfMatch()
  @ReturnsState(AccessListView, 'The access list.')
  @Problems('precondition_failed')
  replace(
    @Param('type') type: string,
    @PathId() id: string,
    @FromBody() { acl }: ReplaceAccessList,
    @IfMatch() precondition?: Precondition,
  ): Promise<VersionedAccessList> {
    return this.lists.replace(type, id, acl, precondition);
  }
}
