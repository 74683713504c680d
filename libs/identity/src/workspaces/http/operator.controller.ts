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

  /**
   * Creates a workspace with roles, owner and licences; returns 200 with the existing workspace if the `ws_external_id` is known.
   */
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

  /**
   * Lists workspaces with counts of their contents.
   *
   * Sorted by creation time, newest first.
   */
  @Get()
  @Operator()
  @Returns(OperatedWorkspacePage, 'A page of workspaces.')
  list(@Query() query: ListWorkspaces): Promise<Page<WorkspaceAnswer>> {
    return this.workspaces.list(query);
  }

  /** Reads a workspace and, while it is being purged, the progress of the purge. */
  @Get(':id')
  @Operator()
  @Returns(OperatedWorkspaceDetail)
  get(@PathId() id: string): Promise<WorkspaceDetail> {
    return this.workspaces.get(id);
  }

  /** Changes name, slug, seat limit, external id or metadata. */
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

  /** Ends the licence for a module immediately. */
  @Delete(':id/modules/:module')
  @Operator()
  @Deletes()
  async revoke(@PathId() id: string, @Param('module') module: string): Promise<void> {
    await this.licences.revoke(id, module);
  }

  /**
   * Suspends a workspace.
   *
   * Members cannot use it, and its jobs wait.
   */
  @Post(':id/suspend')
  @Operator()
  @Returns(OperatedWorkspaceDetail)
  async suspend(@PathId() id: string, @FromBody() { reason }: ReasonBody): Promise<WorkspaceDetail> {
    await this.life.suspend(id, reason ?? null);
    return this.workspaces.get(id);
  }

  /** Resumes a suspended workspace and its jobs. */
  @Post(':id/resume')
  @Operator()
  @Returns(OperatedWorkspaceDetail)
  async resume(@PathId() id: string, @FromBody() { reason }: ReasonBody): Promise<WorkspaceDetail> {
    await this.life.resume(id, reason ?? null);
    return this.workspaces.get(id);
  }

  /** Deletes a workspace: it is closed immediately and purged after `grace_days` (30 by default). */
  @Delete(':id')
  @Operator()
  @Deletes()
  remove(@PathId() id: string, @Query() { grace_days = GRACE_DAYS }: Grace): Promise<void> {
    return this.life.remove(id, grace_days);
  }

  /** Restores a deleted workspace during its grace period; it remains suspended. */
  @Post(':id/restore')
  @Operator()
  @Returns(OperatedWorkspaceDetail)
  async restore(@PathId() id: string): Promise<WorkspaceDetail> {
    await this.life.restore(id);
    return this.workspaces.get(id);
  }

  /** Makes a person an owner of a workspace, for example when no one can access it any more. */
  @Post(':id/owners')
  @Operator({ log: 'none' })
  @Returns(AddedOwner)
  addOwner(@PathId() id: string, @FromBody() { user_email, user_name }: AddOwner): Promise<{ user_id: string; invite_url: string | null }> {
    return this.owners.addOwner(id, user_email, user_name);
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

  /**
   * Rotates the signing keys.
   *
   * The next key signs from now on; the previous one verifies until its last token has expired.
   */
  @Post('signing-keys/rotate')
  @Operator()
  @Returns(SigningKeyStates)
  rotate(): Promise<{ active: string; next: string | null; retired: string[] }> {
    return this.keys.rotateKeys();
  }

  /** Reads versions, applied migrations and the number of waiting jobs. */
  @Get('health')
  @Operator()
  @Returns(HealthView)
  health(): Promise<InstallationHealth> {
    return this.installation.readHealth();
  }
}
