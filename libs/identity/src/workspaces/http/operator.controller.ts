import { Body as FromBody, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Operator, OPERATOR_PREFIX } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { Deletes, PathId, Returns } from '@atrium/platform/http';
import type { Response } from 'express';
import { Installation, type InstallationHealth } from '../application/installation';
import { Licences, type LicenceLine } from '../application/licences.service';
import { SigningKeys } from '../../callers/application/signing-keys';
import { WorkspaceLife } from '../application/workspace-life';
import { WorkspaceOwners } from '../application/workspace-owners';
import { Workspaces, type WorkspaceAnswer, type WorkspaceDetail } from '../application/workspaces.service';
import {
  AddedOwner,
  AddOwner,
  ChangeWorkspace,
  CreateWorkspace,
  Grace,
  HealthView,
  LicenceBody,
  ListWorkspaces,
  OperatedLicence,
  OperatedWorkspaceDetail,
  OperatedWorkspacePage,
  ReasonBody,
  SigningKeyStates,
} from './operator.dto';

const GRACE_DAYS = 30;

/** Workspaces, for operators. */
@ApiTags('Operator')
@Controller(`${OPERATOR_PREFIX}/workspaces`)
export class OperatorWorkspacesController {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly life: WorkspaceLife,
    private readonly owners: WorkspaceOwners,
    private readonly licences: Licences,
  ) {}

  /** Makes a workspace with roles, owner, licences and what it begins with; asked again with the same `ws_external_id`, answers 200 with the one that there is. */
  @Post()
  @Operator({ log: 'none' })
  @HttpCode(201)
  async create(
    @FromBody() body: CreateWorkspace,
    @Res({ passthrough: true }) response: Response,
  ): Promise<WorkspaceDetail & { invite_url: string | null }> {
    const { workspace, invite_url, made } = await this.workspaces.create(body);
    response.setHeader('Location', `/${OPERATOR_PREFIX}/workspaces/${workspace.ws_id}`);
    if (!made) response.status(200);
    return { ...workspace, invite_url };
  }

  /** Lists workspaces, latest first, with what is in them. */
  @Get()
  @Operator()
  @Returns(OperatedWorkspacePage, 'A page of workspaces.')
  list(@Query() query: ListWorkspaces): Promise<Page<WorkspaceAnswer>> {
    return this.workspaces.list(query);
  }

  /** Reads a workspace; while it is being purged, also how far that is. */
  @Get(':id')
  @Operator()
  @Returns(OperatedWorkspaceDetail)
  one(@PathId() id: string): Promise<WorkspaceDetail> {
    return this.workspaces.one(id);
  }

  /** Changes name, slug, seats, outside reference or metadata. */
  @Patch(':id')
  @Operator()
  @Returns(OperatedWorkspaceDetail)
  change(@PathId() id: string, @FromBody() body: ChangeWorkspace): Promise<WorkspaceDetail> {
    return this.workspaces.change(id, body);
  }

  /** Grants a module, or changes its licence. */
  @Put(':id/modules/:module')
  @Operator()
  @Returns(OperatedLicence)
  grant(@PathId() id: string, @Param('module') module: string, @FromBody() body: LicenceBody): Promise<LicenceLine> {
    return this.licences.grant(id, module, body);
  }

  /** Ends the licence of a module now. */
  @Delete(':id/modules/:module')
  @Operator()
  @Deletes()
  async revoke(@PathId() id: string, @Param('module') module: string): Promise<void> {
    await this.licences.revoke(id, module);
  }

  /** Closes a workspace to its members; its jobs wait. */
  @Post(':id/suspend')
  @Operator()
  @Returns(OperatedWorkspaceDetail)
  async suspend(@PathId() id: string, @FromBody() { reason }: ReasonBody): Promise<WorkspaceDetail> {
    await this.life.suspend(id, reason ?? null);
    return this.workspaces.one(id);
  }

  /** Opens a suspended workspace; its jobs go on. */
  @Post(':id/resume')
  @Operator()
  @Returns(OperatedWorkspaceDetail)
  async resume(@PathId() id: string, @FromBody() { reason }: ReasonBody): Promise<WorkspaceDetail> {
    await this.life.resume(id, reason ?? null);
    return this.workspaces.one(id);
  }

  /** Closes a workspace and purges it after `grace_days` (30). */
  @Delete(':id')
  @Operator()
  @Deletes()
  remove(@PathId() id: string, @Query() { grace_days = GRACE_DAYS }: Grace): Promise<void> {
    return this.life.remove(id, grace_days);
  }

  /** Takes a deletion back while its grace lasts; the workspace stays suspended. */
  @Post(':id/restore')
  @Operator()
  @Returns(OperatedWorkspaceDetail)
  async restore(@PathId() id: string): Promise<WorkspaceDetail> {
    await this.life.restore(id);
    return this.workspaces.one(id);
  }

  /** Makes somebody an owner, for a workspace that nobody can open any more. */
  @Post(':id/owners')
  @Operator({ log: 'none' })
  @Returns(AddedOwner)
  addOwner(@PathId() id: string, @FromBody() { user_email, user_name }: AddOwner): Promise<{ user_id: string; invite_url: string | null }> {
    return this.owners.add(id, user_email, user_name);
  }
}

/** The installation itself, for operators. */
@ApiTags('Operator')
@Controller(OPERATOR_PREFIX)
export class OperatorController {
  constructor(
    private readonly keys: SigningKeys,
    private readonly installation: Installation,
  ) {}

  /** The next key signs from now on; the one before verifies until its last token has expired. */
  @Post('signing-keys/rotate')
  @Operator()
  @Returns(SigningKeyStates)
  rotate(): Promise<{ active: string; next: string | null; retired: string[] }> {
    return this.keys.rotate();
  }

  /** Versions, applied migrations, and how much work waits. */
  @Get('health')
  @Operator()
  @Returns(HealthView)
  health(): Promise<InstallationHealth> {
    return this.installation.health();
  }
}
