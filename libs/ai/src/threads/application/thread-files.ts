import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileOwners, FilesAcross, LISTED_REPO_TYPES, type FileAction, type FileOwner, type FileRow, type Repository } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type ListParameters, type Page, type Sql } from '@atrium/platform/database';
import { isId, notFound } from '@atrium/platform/kernel';
import { SearchScopes, TextRepositories } from '@atrium/retrieval';
import type { ThreadLevel } from '../domain/thread-level';
import { sharedWith } from '../infrastructure/thread-shares';
import { ThreadsRepository } from '../infrastructure/threads.repository';
import { ThreadAccess } from './thread-access';

const LEVELS: Readonly<Record<FileAction, ThreadLevel>> = { view: 'view', download: 'view', upload: 'edit', edit: 'edit', delete: 'edit' };
const PREFIX = 'thread';

/** A thread as the owner of files, and as a scope of the search of passages; those of a deleted thread are read by nobody until it is back. */
@Injectable()
export class ThreadFiles implements FileOwner, OnModuleInit {
  readonly type = 'thread' as const;

  constructor(
    private readonly db: Database,
    private readonly owners: FileOwners,
    private readonly across: FilesAcross,
    private readonly texts: TextRepositories,
    private readonly scopes: SearchScopes,
    private readonly threads: ThreadsRepository,
    private readonly access: ThreadAccess,
  ) {}

  onModuleInit(): void {
    this.owners.register(this);
    // Nobody reads threads without being somebody in them.
    this.texts.register({ type: 'thread', buildReadableCondition: (actor) => Promise.resolve(actor ? sql`true` : sql`false`) });
    this.scopes.register({ prefix: PREFIX, findReadableKeys: (actor, keys) => this.open(actor, keys) });
  }

  async hasOwner({ id }: Repository): Promise<boolean> {
    return id !== null && (await this.threads.findRow(id))?.thread_active === true;
  }

  async assertAccess(caller: Principal, { id }: Repository, action: FileAction): Promise<void> {
    if (id === null) throw notFound('thread');
    await this.access.requireThread(caller, id, LEVELS[action]);
  }

  readableCondition(caller: Principal, _repository: Repository, action: FileAction = 'view'): Sql {
    return sql`EXISTS (SELECT FROM thread t WHERE t.tenant_id = r.tenant_id AND t.thread_id = r.repo_id AND t.thread_active AND ${sharedWith(caller, LEVELS[action], 't')})`;
  }

  /** Files of the thread itself and attachments of its messages, as far as the caller may read them. */
  listFiles(caller: Principal, thread_id: string, query: ListParameters): Promise<Page<FileRow>> {
    return this.db.read(async () => {
      await this.access.requireThread(caller, thread_id, 'view');
      const attached = sql`SELECT f.file_id FROM message_file f JOIN message m ON m.tenant_id = f.tenant_id AND m.msg_id = f.msg_id WHERE f.tenant_id = ${requireScope().tenant_id} AND m.msg_thread = ${thread_id} AND m.msg_active`;
      return this.across.listFiles(caller, LISTED_REPO_TYPES, query, {
        where: [sql`(r.repo_key = ${`${PREFIX}:${thread_id}`} OR r.file_id IN (${attached}))`],
      });
    });
  }

  /** Threads are searched where they are named, and by those who may read them. */
  private async open(actor: Principal | null, keys: readonly string[] | null): Promise<readonly string[]> {
    if (!actor?.permissions.has('thread:view') || keys === null) return [];
    const ids = keys.map((key) => key.slice(PREFIX.length + 1).toLowerCase()).filter(isId);
    const readable = await this.threads.filterReadable(actor, ids);
    return readable.map((thread_id) => `${PREFIX}:${thread_id}`);
  }
}
