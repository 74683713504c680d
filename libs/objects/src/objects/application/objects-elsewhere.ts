import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileReferences, type KnownReferences } from '@atrium/files';
import { FormRows, Forms, FormValues, type Pointer } from '@atrium/forms';
import { AclSources, ContentOwners, type ContentBatch, type ContentMove, type ContentMoved } from '@atrium/identity';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, deactivationOf, sql } from '@atrium/platform/database';
import { WorkspaceObject } from '../domain/workspace-object';
import { DeletedObjects } from './deleted-objects';
import { sightOf } from './object-answers';
import { ObjectReadingRows } from '../infrastructure/object-reading.rows';
import { ObjectStore } from '../infrastructure/object-store';

const MOST_POINTERS = 1_000;

/** Objects as other contexts meet them: access that is explained, content of members, places where files are used. */
@Injectable()
export class ObjectsElsewhere implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly store: ObjectStore,
    private readonly reading: ObjectReadingRows,
    private readonly values: FormValues,
    private readonly schemas: FormRows,
    private readonly forms: Forms,
    deleted: DeletedObjects,
    acls: AclSources,
    private readonly owners: ContentOwners,
    private readonly files: FileReferences,
  ) {
    acls.registerTable('object', {
      table: 'object',
      id: 'obj_id',
      acl: 'obj_acl',
      creator: 'obj_created_by',
      name: 'obj_name',
      view: 'object:view',
      findableCondition: () => deleted.findableCondition(),
      deletion: deactivationOf(WorkspaceObject),
      changed: 'object.updated',
    });
  }

  onModuleInit(): void {
    this.owners.register({ context: 'objects', transferContent: (move, batch) => this.transfer(move, batch) });
    this.files.register({ referencesTo: (caller, file_id) => this.referencesTo(caller, file_id) });
  }

  private async transfer(move: ContentMove, batch: ContentBatch): Promise<ContentMoved> {
    const { moved, seen, last } = await this.db.write(() => this.store.handOver(move, batch));
    return { moved, next: seen < batch.size ? null : last };
  }

  /** Objects that show the file as their cover or name it in a field. Of one that names it where the caller does not see it, only that it is there. */
  private async referencesTo(caller: Principal, file_id: string): Promise<KnownReferences> {
    const pointers = await this.values.findPointers([file_id], MOST_POINTERS);
    const forms = await this.schemas.openAll('object', [...new Set(pointers.map(({ form_id }) => form_id))]);
    const sight = sightOf(caller);
    const isSeen = ({ form_id, field_key }: Pointer): boolean => {
      const form = forms.get(form_id)?.compiled;
      const field = form?.field(field_key);
      return form !== undefined && field !== undefined && this.forms.visibleFields(form, sight).reveals(field);
    };
    const seen = new Map(pointers.filter(isSeen).map(({ owner_id, field_key }) => [owner_id, field_key]));
    const rows = await this.reading.findFileUses(
      file_id,
      pointers.map(({ owner_id }) => owner_id),
      { readable: caller.permissions.has('object:view') ? aclAllows('r.obj_acl', caller, 'view') : sql`false`, most: MOST_POINTERS },
    );
    const shown = rows.filter(({ obj_id, readable, is_cover }) => readable && (is_cover || seen.has(obj_id)));
    return {
      data: shown.map(({ obj_id, obj_name }) => ({
        ref_type: 'object',
        ref_id: obj_id,
        ref_name: obj_name,
        ref_detail: seen.get(obj_id) ?? null,
        ref_blocking: false,
      })),
      hidden: rows.length - shown.length,
    };
  }
}
