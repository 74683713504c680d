import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileOwners, type FileAction, type FileOwner, type Repository } from '@atrium/files';
import { aclAllows, type AclLevel, type Principal } from '@atrium/platform/access';
import { sql, type Sql } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { TextRepositories } from '@atrium/retrieval';
import { configOf, type BaseChunking } from '../domain/base-config';
import type { JsonObject } from '@atrium/platform/kernel';
import { BaseFileRows, type OwnFile } from '../infrastructure/base-files.rows';
import { BasesRepository } from '../infrastructure/bases.repository';
import { BaseAccess } from './base-access';

const LEVELS: Readonly<Record<FileAction, AclLevel>> = { view: 'view', download: 'view', upload: 'edit', edit: 'edit', delete: 'edit' };
/** Condition on `r`: a file that is there to be imported, and shown nowhere. */
const TO_IMPORT = sql`r.file_metadata ->> 'purpose' = 'import'`;

/** A base as the owner of files: who may act on them, which of them are searched, and how they are cut into passages. */
@Injectable()
export class BaseFiles implements FileOwner, OnModuleInit {
  readonly type = 'ds' as const;

  constructor(
    private readonly owners: FileOwners,
    private readonly texts: TextRepositories,
    private readonly bases: BasesRepository,
    private readonly rows: BaseFileRows,
    private readonly access: BaseAccess,
  ) {}

  onModuleInit(): void {
    this.owners.register(this);
    this.texts.register({
      type: 'ds',
      buildReadableCondition: (actor) => Promise.resolve(actor ? sql`true` : open(sql`b.ds_acl = '{}'`)),
      filterRead: async (ids) => new Set((await this.own(ids)).filter(({ to_import }) => !to_import).map(({ file_id }) => file_id)),
      filterSearched: async (ids) =>
        new Set((await this.own(ids)).filter(({ ds_active, to_import }) => ds_active && !to_import).map(({ file_id }) => file_id)),
      readChunkOptions: async (ids) => new Map((await this.own(ids)).map(({ file_id, ds_config }) => [file_id, chunkingOf(ds_config)])),
    });
  }

  async hasOwner({ id }: Repository): Promise<boolean> {
    return id !== null && (await this.bases.findRow(id))?.ds_active === true;
  }

  async assertAccess(caller: Principal, { id }: Repository, action: FileAction): Promise<void> {
    if (id === null) throw notFound('knowledge base');
    await this.access.requireReadable(caller, id, LEVELS[action]);
  }

  readableCondition(caller: Principal, _repository: Repository, action: FileAction = 'view'): Sql {
    return open(aclAllows('b.ds_acl', caller, LEVELS[action]));
  }

  private own(file_ids: readonly string[]): Promise<OwnFile[]> {
    return this.rows.findOwnFiles(file_ids, TO_IMPORT);
  }
}

const chunkingOf = (config: JsonObject): BaseChunking => configOf(config).chunking;

/** Condition on `r`: a file of an active base that a condition on `b` holds for. */
const open = (condition: Sql): Sql =>
  sql`(coalesce(NOT (${TO_IMPORT}), true) AND EXISTS (SELECT FROM knowledge_base b WHERE b.tenant_id = r.tenant_id AND b.ds_id = r.repo_id AND b.ds_active AND ${condition}))`;
