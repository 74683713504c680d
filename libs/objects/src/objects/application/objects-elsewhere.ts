import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileReferences, type KnownReferences } from '@atrium/files';
import { FormValues } from '@atrium/forms';
import { AclSources, ContentOwners, type ContentBatch, type ContentMove, type ContentMoved } from '@atrium/identity';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { ObjectStore } from '../infrastructure/object-store';

const MOST_POINTERS = 1_000;

/** Objects as other contexts meet them: access that is explained, content of members, places where files are used. */
@Injectable()
export class ObjectsElsewhere implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly values: FormValues,
    private readonly acls: AclSources,
    private readonly owners: ContentOwners,
    private readonly files: FileReferences,
  ) {}

  onModuleInit(): void {
    this.acls.registerTable('object', {
      table: 'object',
      id: 'obj_id',
      acl: 'obj_acl',
      creator: 'obj_created_by',
      name: 'obj_name',
      view: 'object:view',
      there: sql`r.obj_active`,
      changed: 'object.updated',
    });
    this.owners.register({ context: 'objects', transfer: (move, batch) => this.transfer(move, batch) });
    this.files.register({ referencesTo: (caller, file_id) => this.referencesTo(caller, file_id) });
  }

  private async transfer(move: ContentMove, batch: ContentBatch): Promise<ContentMoved> {
    const { moved, seen, last } = await this.db.write(() => this.store.handOver(move, batch));
    return { moved, next: seen < batch.size ? null : last };
  }

  /** Objects that show the file as their cover or name it in a field. */
  private async referencesTo(caller: Principal, file_id: string): Promise<KnownReferences> {
    const pointers = await this.values.pointers([file_id], MOST_POINTERS);
    const fields = new Map(pointers.map(({ owner_id, field_key }) => [owner_id, field_key]));
    const may = caller.permissions.has('object:view') ? aclAllows('r.obj_acl', caller, 'view') : sql`false`;
    const rows = await this.db.current().query<{ obj_id: string; obj_name: string; readable: boolean }>(sql`
      SELECT r.obj_id, r.obj_name, ${may} AS readable FROM object r
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_active AND (r.obj_cover_file = ${file_id} OR r.obj_id = ANY(${[...fields.keys()]}::uuid[])) ORDER BY r.obj_id LIMIT ${MOST_POINTERS}`);
    const shown = rows.filter(({ readable }) => readable);
    return {
      data: shown.map(({ obj_id, obj_name }) => ({
        ref_type: 'object',
        ref_id: obj_id,
        ref_name: obj_name,
        ref_detail: fields.get(obj_id) ?? null,
        ref_blocking: false,
      })),
      hidden: rows.length - shown.length,
    };
  }
}
