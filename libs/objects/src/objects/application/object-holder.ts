import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  FormHolders,
  FormRows,
  HeldTable,
  type DoubledValue,
  type Form,
  type FormChange,
  type FormHolder,
  type HeldRow,
  type ReturnedRow,
  type Sameness,
  type SeenRows,
} from '@atrium/forms';
import { aclAllows, Audit, changesBetween, type Principal, defineAuditTypes } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { Clock, Ids, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { differencesOf, storedOf } from '../domain/stored-object';
import { ObjectReadingRows } from '../infrastructure/object-reading.rows';
import { ObjectRevisionRows } from '../infrastructure/object-revisions.rows';
import { OtherSchemaValues } from '../infrastructure/other-schema-values.rows';
import { ObjectStore } from '../infrastructure/object-store';
import { sightOf } from './object-answers';
import { ObjectIndex } from './object-index';
import { ObjectShaping } from './object-shaping';

const SCHEMAS_AUDIT = defineAuditTypes({
  'object_schema.created': 'An object schema was created.',
  'object_schema.updated': 'An object schema was changed or made active again.',
  'object_schema.deactivated': 'An object schema was deactivated.',
});

const KIND = 'object';
const EVENTS = { created: 'created', updated: 'updated', deactivated: 'deactivated', revived: 'updated' } as const;

/** Objects as the rows of their schemas: they follow a change of the schema, and are indexed again where it reads them differently. */
@Injectable()
export class ObjectHolder implements FormHolder, OnModuleInit {
  readonly view = 'object:view';
  readonly module = 'module-objects';
  readonly collection = 'object-schemas';
  private readonly table: HeldTable;

  constructor(
    db: Database,
    private readonly holders: FormHolders,
    private readonly forms: FormRows,
    private readonly store: ObjectStore,
    private readonly reading: ObjectReadingRows,
    private readonly shelves: OtherSchemaValues,
    private readonly revisions: ObjectRevisionRows,
    private readonly shaping: ObjectShaping,
    private readonly index: ObjectIndex,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {
    this.table = new HeldTable(db, {
      table: 'object',
      id: 'obj_id',
      form: 'obj_form',
      content: 'obj_content',
      claims: sql`r.obj_active`,
      open: sql`r.obj_acl = '{}'`,
    });
  }

  onModuleInit(): void {
    this.holders.register(KIND, this);
  }

  async countRows(form_id: string, path: readonly string[] = []): Promise<number> {
    const standing = await this.table.countRows(form_id, path);
    return path.length === 0 ? standing : standing + (await this.shelves.countShelves(form_id, path));
  }

  countAside(form_id: string): Promise<number> {
    return this.shelves.countShelves(form_id);
  }

  findDuplicates(form_id: string, path: readonly string[], most: number, sameness?: Sameness): Promise<DoubledValue[]> {
    return this.table.findDuplicates(form_id, path, most, sameness);
  }

  findLiveRows(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.table.findLiveRows(ids);
  }

  findReadableRows(caller: Principal, ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.table.filterRows(ids, caller.permissions.has('object:view') ? aclAllows('r.obj_acl', caller, 'view') : sql`false`);
  }

  seenRows(caller: Principal): SeenRows {
    const closed = sql`SELECT o.obj_id FROM object o WHERE o.tenant_id = ${requireScope().tenant_id} AND o.obj_acl <> '{}'::jsonb AND NOT ${aclAllows('o.obj_acl', caller, 'view')}`;
    return { sight: sightOf(caller), readable: caller.permissions.has('object:view') ? sql`v.owner_id NOT IN (${closed})` : sql`false` };
  }

  /** Objects of the schema with their terms, which stand in the index beside the content, and what others keep for their return to it. */
  async handOut(form_id: string, after: string | null, limit: number): Promise<HeldRow[]> {
    const rows = await this.withTerms(await this.table.handOut(form_id, after, limit));
    const kept = await this.shelves.handOut(form_id, after, limit);
    return [...rows, ...kept].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, limit);
  }

  async lockRows(form_id: string, ids: readonly string[]): Promise<HeldRow[]> {
    return this.withTerms(await this.table.lockRows(form_id, ids));
  }

  private async withTerms(rows: readonly HeldRow[]): Promise<HeldRow[]> {
    const terms = await this.reading.findTerms(rows.map(({ id }) => id));
    return rows.map((row) => ({ ...row, beside: { $terms: terms.get(row.id) ?? [] } }));
  }

  async storeRows(form: Form, rows: readonly ReturnedRow[], { reworded }: { readonly reworded: boolean }): Promise<void> {
    await this.shelves.storeShelves(
      form.form_id,
      rows.filter(({ aside, changed }) => aside && changed),
    );
    const standing = rows.filter(({ aside }) => !aside);
    const touched = new Map(standing.filter(({ changed, issues }) => changed || reworded || issues.length > 0).map((row) => [row.id, row]));
    if (touched.size === 0) return;
    const open = await this.forms.openForm(KIND, form.form_id);
    const found = await this.store.lockMany([...touched.keys()]);
    const followed = found.map((object) => {
      const { content = object.obj_content, issues = [], changed = false } = touched.get(object.obj_id) ?? {};
      const before = storedOf(object);
      const named = {
        ...before,
        obj_content: content,
        obj_issues: [...keptIssues(object.obj_issues), ...issues.filter(({ code }) => code === 'unique')],
      };
      const next = { ...named, obj_name: this.shaping.nameAfterNumbering(open, { ...named, obj_id: object.obj_id }) };
      return { before, changed, written: { ...this.shaping.toWritten(open, object.obj_id, null, next) } };
    });
    await this.store.saveMigrated(followed.map(({ written }) => written));
    await this.revisions.insertRevisions(
      followed
        .filter(({ changed }) => changed)
        .map(({ before, written }) => ({
          rev_id: this.ids.next(),
          rev_object: written.obj_id,
          rev_action: 'schema_changed',
          rev_changes: differencesOf(before, written),
          rev_content: written.obj_content,
        })),
      { by: null, now: this.clock.now() },
    );
    await this.index.indexObjects(
      open,
      followed.map(({ written }) => written),
    );
  }

  formChanged(change: FormChange, form: Form, before: JsonObject | null): void {
    const { form_id: id, form_name, form_description, form_config, form_metadata, form_active } = form;
    const after = { form_name, form_description, form_config, form_metadata, form_active };
    this.audit.record({
      type: SCHEMAS_AUDIT[`object_schema.${EVENTS[change]}`],
      target: { type: 'object_schema', id, name: form_name },
      ...changesBetween(before, after),
    });
    this.outbox.emitEvent({ name: 'object_schema.changed', subject_id: id, payload: { change } });
  }
}

/** What is known of objects beside their content stays while the content is merely moved. */
const keptIssues = (issues: readonly { readonly field: string; readonly code: string }[]) =>
  issues.filter(({ field }) => field.startsWith('$'));
