import { Injectable } from '@nestjs/common';
import { FormRows, Forms, type FormRow, type FormWish, type VersionedFormRow } from '@atrium/forms';
import { AclSubjects } from '@atrium/identity';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, join, sql, type ListParameters, type Page, type Precondition, type Sql } from '@atrium/platform/database';
import { invalidField, isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';
import { sightOf } from '../../objects/application/object-answers';
import { ObjectStore } from '../../objects/infrastructure/object-store';

const KIND = 'object';
const MOST_KEYS = 20;
const KEY = /^[A-Za-z0-9_-]{1,64}$/;
const MOST_VALUE = 500;

export interface SchemaFilters extends ListParameters {
  readonly form_active?: boolean;
  readonly form_metadata?: JsonObject;
}

export type SchemaDetails = VersionedFormRow & { readonly form_object_count: number; readonly json_schema?: JsonObject };

/** Object schemas of a workspace. */
@Injectable()
export class ObjectSchemasService {
  constructor(
    private readonly db: Database,
    private readonly rows: FormRows,
    private readonly forms: Forms,
    private readonly store: ObjectStore,
    private readonly subjects: AclSubjects,
  ) {}

  list({ form_active = true, form_metadata, ...query }: SchemaFilters): Promise<Page<FormRow>> {
    return this.rows.list(KIND, query, join([sql`r.form_active = ${form_active}`, ...metadataConditions(form_metadata)], ' AND '));
  }

  get(caller: Principal, form_id: string, { compiled = false }: { readonly compiled?: boolean } = {}): Promise<SchemaDetails> {
    return this.db.read(async () => {
      const details = await this.detailed(caller, await this.rows.get(KIND, form_id));
      return compiled
        ? { ...details, json_schema: this.forms.jsonSchema(this.forms.compileForm(details.form_config, { kind: KIND })) }
        : details;
    });
  }

  create(caller: Principal, wish: FormWish & { readonly form_name: string }): Promise<SchemaDetails> {
    return this.db.write(async () => {
      await this.assertAcl(wish);
      return this.detailed(caller, await this.rows.create(KIND, wish));
    });
  }

  change(caller: Principal, form_id: string, wish: FormWish, precondition?: Precondition): Promise<SchemaDetails> {
    return this.rows.changeWithin(KIND, form_id, wish, { precondition, sight: sightOf(caller) }, async (change) => {
      if (wish.form_metadata?.acl !== undefined) await this.assertAcl(wish, (await this.rows.get(KIND, form_id)).form_metadata.acl);
      const form_object_count = await this.counted(caller, form_id);
      return { ...(await change()), form_object_count };
    });
  }

  deactivate(form_id: string, precondition?: Precondition): Promise<void> {
    return this.rows.deactivate(KIND, form_id, precondition);
  }

  /** The access list that new objects begin with is one. */
  private async assertAcl({ form_metadata: { acl } = {} }: FormWish, before?: JsonValue): Promise<void> {
    if (acl === undefined) return;
    if (!isObject(acl)) throw invalidField('form_metadata.acl', 'must be an access list', 'object');
    await this.subjects.validateSubjects('form_metadata.acl', acl, isObject(before) ? { before } : {});
  }

  private async detailed(caller: Principal, row: VersionedFormRow): Promise<SchemaDetails> {
    return { ...row, form_object_count: await this.counted(caller, row.form_id) };
  }

  private counted(caller: Principal, form_id: string): Promise<number> {
    return this.store.countObjects(form_id, aclAllows('r.obj_acl', caller, 'view'));
  }
}

/** Exact matches on top-level metadata, compared as text. */
function metadataConditions(filter: JsonObject | undefined): Sql[] {
  const entries = Object.entries(filter ?? {});
  if (entries.length > MOST_KEYS) throw invalidField('form_metadata', `must have at most ${MOST_KEYS} keys`, 'too_many');
  return entries.map(([key, value]) => {
    const path = `form_metadata.${key.slice(0, 100)}`;
    if (!KEY.test(key)) throw invalidField(path, 'keys must consist of letters, digits, _ and -', 'pattern');
    if (typeof value !== 'string') throw invalidField(path, 'must be a single value', 'string');
    if (value.length > MOST_VALUE) throw invalidField(path, `must have at most ${MOST_VALUE} characters`, 'too_long');
    return sql`r.form_metadata ->> ${key} = ${value}`;
  });
}
