import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Audit, defineAuditTypes } from '@atrium/platform/access';
import {
  assertCurrent,
  Database,
  decodeCursor,
  encodeCursor,
  MAX_PAGE_BYTES,
  RowBudget,
  wasDeleted,
  type ListParameters,
  type Page,
  type Precondition,
} from '@atrium/platform/database';
import { invalidField, isId, notFound, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { ContentOwners, type ContentBatch, type ContentMove, type ContentMoved } from '../people/application/content-owners';
import { AccessListRows, type ChangedList } from './access-list.rows';
import { AclSources, type AccessList, type AclTable, type VersionedAccessList } from './acl-sources';
import { AclSubjects } from './acl-subjects';

export interface AccessListFilters extends ListParameters {
  readonly type?: string;
  readonly user_id?: string;
}

/** What goes on until all stretches of all tables are done. */
export interface Opening {
  readonly signal: AbortSignal;
  readonly heartbeat: () => Promise<unknown>;
}

const ACCESS_LIST_AUDIT = defineAuditTypes({
  'access_list.replaced': 'An administrator replaced the access list of a row.',
  'access_list.handed_over': 'A member replaced another one in the access list of a row.',
  'access_list.opened': 'The access list of a row no longer named anyone and was given an owner.',
});

const ORDER = 'id';
const [DEFAULT_LIMIT, MAX_LIMIT] = [50, 1_000];
/** Each change is audited in the unit of work that makes it. */
const STRETCH = 500;

/**
 * The way back to rows with an access list, in all contexts alike: administrators see that they are there and replace their lists, what
 * is handed over names the new member, and a list that names nobody any more is given an owner.
 */
@Injectable()
export class AccessLists implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly sources: AclSources,
    private readonly rows: AccessListRows,
    private readonly owners: ContentOwners,
    private readonly subjects: AclSubjects,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.owners.register({ context: 'access_lists', transferContent: (move, batch) => this.handOver(move, batch) });
  }

  list({ type, user_id, cursor, limit, offset }: AccessListFilters): Promise<Page<AccessList>> {
    const kinds = type === undefined ? this.sources.kept : [[type, this.tableOf(type)] as const];
    const size = Math.min(limit ?? DEFAULT_LIMIT, MAX_LIMIT);
    const after = decodeCursor(cursor, ORDER)?.id ?? null;
    const budget = new RowBudget(size + 1, MAX_PAGE_BYTES);
    return this.db.read(async () => {
      const found = await this.rows.listAccessLists(kinds, {
        user_id: user_id?.toLowerCase(),
        after: after !== null && isId(after) ? after : null,
        size: size + 1,
        budget,
        offset: after === null ? (offset ?? 0) : 0,
      });
      const data = found.slice(0, size);
      const [last, has_more] = [data.at(-1), budget.isCut || found.length > size];
      return { data, has_more, next_cursor: has_more && last ? encodeCursor({ sort: ORDER, key: last.id, id: last.id }) : null };
    });
  }

  replace(type: string, id: string, entered: JsonObject, precondition?: Precondition): Promise<VersionedAccessList> {
    const table = this.sources.findTable(type);
    if (!table) throw notFound('access list');
    return this.db.write(async () => {
      const locked = await this.rows.lockAccessList(type, table, id);
      if (!locked) throw notFound('access list');
      const { is_deleted, ...list } = locked;
      assertCurrent(precondition, list.row_version, 'access list');
      if (is_deleted && table.deletion) throw wasDeleted(type.replaceAll('_', ' '), table.deletion);
      const acl = await this.subjects.validateSubjects('acl', entered, { before: list.acl });
      await this.rows.writeAccessList(table, id, acl);
      this.tell('access_list.replaced', type, table, { id, before: list.acl, after: acl });
      return { ...list, acl, row_version: list.row_version + 1 };
    });
  }

  /** Gives an owner to every list of the workspace that names nobody any more. Doing it again changes nothing more. */
  async assignMissingOwners({ signal, heartbeat }: Opening): Promise<void> {
    for (const [type, table] of this.sources.kept) {
      let after: string | null = null;
      do {
        signal.throwIfAborted();
        after = await this.openStretch(type, table, after);
        await heartbeat();
      } while (after !== null);
    }
  }

  /** Where the next stretch begins; null behind the last one. */
  private async openStretch(type: string, table: AclTable, after: string | null): Promise<string | null> {
    const { seen, last } = await this.db.write(async () => {
      const stretch = await this.rows.assignMissingOwners(table, after, STRETCH);
      for (const list of stretch.changed) this.tell('access_list.opened', type, table, list);
      return stretch;
    });
    return seen < STRETCH ? null : last;
  }

  /** One stretch of one table; the position names the table and the last row of it. */
  private async handOver(move: ContentMove, { after, size }: ContentBatch): Promise<ContentMoved> {
    const [type = '', row = ''] = after?.split(':') ?? [];
    const kinds = this.sources.kept.filter(([, { handsOver }]) => !handsOver);
    const at = after === null ? 0 : kinds.findIndex(([kind]) => kind === type);
    const kind = kinds[at];
    if (!kind) return { moved: 0, next: null };
    const { changed, seen, last } = await this.db.write(async () => {
      const stretch = await this.rows.handOver(kind[1], move, row === '' ? null : row, size);
      for (const list of stretch.changed) this.tell('access_list.handed_over', ...kind, list);
      return stretch;
    });
    if (seen === size) return { moved: changed.length, next: `${kind[0]}:${last}` };
    const following = kinds[at + 1];
    return { moved: changed.length, next: following ? `${following[0]}:` : null };
  }

  /** Within the unit of work of the change: who reads the row follows from it, so caches and indexes hear of it as of any other change. */
  private tell(change: keyof typeof ACCESS_LIST_AUDIT, type: string, { acl, changed }: AclTable, { id, before, after }: ChangedList): void {
    this.audit.record({ type: ACCESS_LIST_AUDIT[change], target: { type, id }, before: { acl: before }, after: { acl: after } });
    if (changed) this.outbox.emitEvent({ name: changed, subject_id: id, payload: { changed: [acl] } });
  }

  private tableOf(type: string): AclTable {
    const table = this.sources.findTable(type);
    if (table) return table;
    throw invalidField('type', `must be one of ${this.sources.kept.map(([kind]) => kind).join(', ')}`, 'choice');
  }
}
