import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Creates, Deletes, HasId, HonoursIfMatch, IfMatch, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { NodeAnswer } from '../application/node-answers';
import { NodeCopiesService } from '../application/node-copies.service';
import { NodeList, type Tree } from '../application/node-list';
import type { NodeDetail } from '../application/node-reading';
import { NodeTrashService } from '../application/node-trash.service';
import { NodesService } from '../application/nodes.service';
import { VersionsService } from '../application/versions.service';
import {
  ChangeNode,
  CopyNode,
  CreateNode,
  DeleteNode,
  ListNodes,
  NodeDetailView,
  NodePage,
  ReadNode,
  ReadTree,
  TreeView,
} from './nodes.dto';

/** Pages, folders and links of a site. */
@ApiTags('Website content')
@Controller('sites/:id')
export class NodesController {
  constructor(
    private readonly nodes: NodesService,
    private readonly lists: NodeList,
    private readonly trash: NodeTrashService,
    private readonly copies: NodeCopiesService,
    private readonly versions: VersionsService,
  ) {}

  /**
   * Lists the pages, folders and links of a site, without their content.
   *
   * They are sorted by `node_order`, whatever their level; `node_parent=root` lists the top level, `under` a whole
   * branch. Pages in the trash are listed only with `node_active=false`. A page of the list ends early where a site
   * has many locales.
   */
  @Get('nodes')
  @Named('listNodes')
  @HasId('id', 'Id of the site.')
  @Policy({ any: ['site:view', 'content:view'] })
  @Returns(NodePage, 'A page of nodes.')
  list(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListNodes): Promise<Page<NodeAnswer>> {
    return this.lists.listNodes(caller, id, query);
  }

  /**
   * Reads the tree of a site in one locale.
   *
   * The tree is that of the drafts, without pages in the trash. At most 10,000 pages are returned, upper levels first.
   */
  @Get('tree')
  @Named('readSiteTree')
  @HasId('id', 'Id of the site.')
  @Policy({ any: ['site:view', 'content:view'] })
  @Returns(TreeView, 'The tree.')
  readTree(@Caller() caller: Principal, @PathId() id: string, @Query() query: ReadTree): Promise<Tree> {
    return this.lists.readTree(caller, id, query);
  }

  /**
   * Creates a page, a folder or a link as a draft.
   *
   * Nothing is published. Content may be incomplete: what is missing is returned in `node_issues` and prevents
   * publishing only. A slug that is derived from the name gets a number if it is taken; a `node_slug` that is taken is
   * refused with 409. A site can have 50,000 pages, 2,000 directly below one page, 15 levels deep.
   */
  @Post('nodes')
  @Named('createNode')
  @HasId('id', 'Id of the site.')
  @Policy({ any: ['content:edit', 'site:edit'] })
  @Creates(NodeDetailView, 'sites/{node_site}/nodes/{node_id}')
  @Problems('already_exists', 'invalid_move', 'invalid_state', 'limit_reached', 'payload_too_large')
  create(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: CreateNode): Promise<NodeDetail> {
    return this.nodes.create(caller, id, body);
  }

  /**
   * Reads a page with its content in one locale.
   *
   * The ETag is that of the locale: saving another locale does not change it. A page in the trash is returned with
   * `node_active` false. `version=published` returns 409 if the page is not published in the locale.
   */
  @Get('nodes/:node_id')
  @Named('readNode')
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page, folder or link.')
  @Policy({ any: ['site:view', 'content:view'] })
  @ReturnsState(NodeDetailView, 'The page.')
  @Problems('invalid_state')
  get(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @Query() query: ReadNode,
  ): Promise<NodeDetail> {
    return this.versions.readAt(caller, { site_id, node_id }, query);
  }

  /**
   * Changes or moves a page.
   *
   * Omitted fields stay as they are; content is replaced at its own route. Slug, parent, position, template and menu
   * require the permission site:edit. Published addresses change when the page is published. Outside the default
   * locale, only `node_seo` can be changed. A page cannot be moved below itself (409 `invalid_move`). A change of the
   * template keeps the values of fields with the same key and type.
   */
  @Patch('nodes/:node_id')
  @Named('updateNode')
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page, folder or link.')
  @Policy({ any: ['content:edit', 'site:edit'] })
  @HonoursIfMatch()
  @ReturnsState(NodeDetailView, 'The page.')
  @Problems('already_exists', 'invalid_move', 'invalid_state', 'limit_reached', 'payload_too_large', 'precondition_failed')
  change(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @FromBody() body: ChangeNode,
    @IfMatch() precondition?: Precondition,
  ): Promise<NodeDetail> {
    return this.nodes.change(caller, { site_id, node_id }, body, precondition);
  }

  /**
   * Deletes a page.
   *
   * It goes to the trash, from which it can be restored for 30 days. If there are pages below it, `children` is
   * required (409 `in_use`). A published page is unpublished, which requires the permission site:publish; with
   * `redirect_to`, visitors of its address are redirected. Its schedules are cancelled, and its requests for approval
   * are withdrawn.
   */
  @Delete('nodes/:node_id')
  @Named('deleteNode')
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page, folder or link.')
  @Policy({ any: ['content:delete', 'site:edit'] })
  @HonoursIfMatch()
  @Deletes({ stays: true })
  @Problems('in_use', 'invalid_state', 'limit_reached', 'precondition_failed')
  remove(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @Query() query: DeleteNode,
    @IfMatch() precondition?: Precondition,
  ): Promise<void> {
    return this.trash.remove(caller, { site_id, node_id }, query, precondition);
  }

  /**
   * Restores a page from the trash as a draft.
   *
   * Pages that its deletion took along are restored with it. A slug that was taken since gets a number. Fails with 409
   * if the page is not in the trash, or if its parent is.
   */
  @Post('nodes/:node_id/restore')
  @Named('restoreNode')
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page, folder or link.')
  @Policy({ any: ['content:delete', 'site:edit'] })
  @ReturnsState(NodeDetailView, 'The page.')
  @Problems('invalid_state', 'limit_reached')
  restore(@Caller() caller: Principal, @PathId() site_id: string, @PathId('node_id') node_id: string): Promise<NodeDetail> {
    return this.trash.restore(caller, { site_id, node_id });
  }

  /**
   * Copies a page as a draft.
   *
   * The copy has the content and the translations of the source, is published in no locale, and goes after the source
   * or to the end of another parent. All its blocks have a new `_uid`. With `subtree`, the pages below it are copied
   * too, at most 500.
   */
  @Post('nodes/:node_id/duplicate')
  @Named('duplicateNode')
  @HasId('id', 'Id of the site.')
  @HasId('node_id', 'Id of the page, folder or link.')
  @Policy({ all: ['content:edit'] })
  @Creates(NodeDetailView, 'sites/{node_site}/nodes/{node_id}')
  @Problems('already_exists', 'invalid_move', 'invalid_state', 'limit_reached')
  duplicate(
    @Caller() caller: Principal,
    @PathId() site_id: string,
    @PathId('node_id') node_id: string,
    @FromBody() body: CopyNode,
  ): Promise<NodeDetail> {
    return this.copies.copyNode(caller, { site_id, node_id }, body);
  }
}
