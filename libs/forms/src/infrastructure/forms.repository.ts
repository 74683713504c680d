import { Injectable } from '@nestjs/common';
import {
  columnsOf,
  Database,
  listPage,
  raw,
  requireScope,
  ResourceRepository,
  sql,
  type ListParameters,
  type Page,
  type Sql,
} from '@atrium/platform/database';
import { alreadyExists, type JsonObject } from '@atrium/platform/kernel';
import { Form, type RowKind } from '../domain/form';
import type { FieldChange } from '../domain/form-diff';
import type { Move } from '../domain/moves';

/** A form as clients see it. */
export type FormRow = Omit<Form, 'tenant_id' | 'row_version' | 'form_kind' | 'form_retired' | 'form_created_by' | 'assertOwn' | 'touch'>;
export type VersionedFormRow = FormRow & { readonly row_version: number };

/** A form as code that writes its content needs it. */
export type FormFacts = Pick<
  Form,
  'form_id' | 'form_kind' | 'form_name' | 'form_config' | 'form_metadata' | 'form_active' | 'form_revision' | 'form_managed_by'
>;

const MIGRATION = sql`CASE WHEN m.mig_form IS NULL THEN NULL ELSE json_build_object('status', m.mig_status, 'done', m.mig_done, 'total', m.mig_total) END AS form_migration`;
const WITH_MIGRATION = sql`LEFT JOIN form_migration m ON m.tenant_id = r.tenant_id AND m.mig_form = r.form_id`;
const FACTS = raw('r.form_id, r.form_kind, r.form_name, r.form_config, r.form_metadata, r.form_active, r.form_revision, r.form_managed_by');

/** What stored rows are still to follow. */
export interface PendingWork {
  readonly mig_moves: readonly Move[];
  readonly mig_keys: readonly string[];
  /** The form that rows still have which are to take this one, a copy of it. */
  readonly mig_from: string | null;
}

/** How long a form is kept from changing: `share` for code that writes content by it. */
export type FormLock = 'none' | 'share';

/** Forms of all kinds; a kind never sees those of another. */
@Injectable()
export class FormsRepository extends ResourceRepository<Form> {
  constructor(db: Database) {
    super(db, Form, 'form', 'beside');
  }

  listForms(kind: RowKind, query: ListParameters, where: Sql | undefined): Promise<Page<FormRow>> {
    const scope = sql`r.form_kind = ${kind}`;
    return listPage<FormRow>(this.db.current(), Form, query, {
      where: where ? sql`${scope} AND ${where}` : scope,
      select: MIGRATION,
      join: WITH_MIGRATION,
    });
  }

  findFormRow(kind: RowKind, form_id: string): Promise<VersionedFormRow | undefined> {
    return this.db
      .current()
      .first(
        sql`SELECT ${columnsOf(Form)}, r.row_version, ${MIGRATION} FROM form r ${WITH_MIGRATION} WHERE r.tenant_id = ${requireScope().tenant_id} AND r.form_id = ${form_id} AND r.form_kind = ${kind}`,
      );
  }

  /** Form and work on its way by one snapshot: content is read by both or by neither. */
  async readFacts(kind: RowKind, form_ids: readonly string[], lock: FormLock): Promise<(FormFacts & PendingWork)[]> {
    const these = sql`r.tenant_id = ${requireScope().tenant_id} AND r.form_id = ANY(${[...form_ids]}::uuid[]) AND r.form_kind = ${kind}`;
    const tx = this.db.current();
    const read = (): Promise<(FormFacts & PendingWork)[]> =>
      tx.query(
        sql`SELECT ${FACTS}, coalesce(m.mig_moves, '[]') AS mig_moves, coalesce(m.mig_keys, '{}') AS mig_keys, m.mig_from FROM form r ${WITH_MIGRATION} AND m.mig_status <> 'done' WHERE ${these} ORDER BY r.form_id`,
      );
    // A statement that has waited for a lock sees the rest as it was before it waited: what is read with the form is read after it.
    const keep = async (): Promise<(FormFacts & PendingWork)[]> => {
      await tx.execute(sql`SELECT 1 FROM form r WHERE ${these} ORDER BY r.form_id FOR SHARE`);
      return read();
    };
    if (lock === 'none') return read();
    if (!tx.locksLast) return keep();
    const facts = await read();
    tx.lockLast(`form ${[...form_ids].sort().join(' ')}`, facts, keep);
    return facts;
  }

  /** Forms of a kind whose rows retrieval knows. */
  async findRetrievedForms(kind: RowKind): Promise<string[]> {
    const rows = await this.db
      .current()
      .query<{ form_id: string }>(
        sql`SELECT r.form_id FROM form r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.form_kind = ${kind} AND (r.form_metadata ->> 'retrieval') = 'true' ORDER BY r.form_id`,
      );
    return rows.map(({ form_id }) => form_id);
  }

  /** Refuses a name that another active form of the kind has; the index behind it decides among those who ask at once. */
  async assertFreeName(kind: RowKind, form_name: string, except: string): Promise<void> {
    const taken = await this.db
      .current()
      .first(
        sql`SELECT 1 FROM form WHERE tenant_id = ${requireScope().tenant_id} AND form_kind = ${kind} AND form_active AND folded(form_name) = folded(${form_name}) AND form_id <> ${except}`,
      );
    if (taken) throw alreadyExists('form_name', `An active form named ${form_name} already exists.`);
  }

  /** Active forms of every kind with a field of the type whose setting is this value, however deep, by name. */
  listFormsWithSetting(type: string, key: string, value: string, most: number): Promise<{ form_id: string; form_name: string }[]> {
    const path = `$.fields.** ? (@.type == $type && @.${key} == $value)`;
    return this.db
      .current()
      .query(
        sql`SELECT r.form_id, r.form_name FROM form r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.form_active AND jsonb_path_exists(r.form_config, ${path}::jsonpath, ${JSON.stringify({ type, value })}::jsonb) ORDER BY r.form_name, r.form_id LIMIT ${most}`,
      );
  }

  /** Forms of every kind with a field of the type and with a field that is hidden or sensitive, however deep. The second condition is that of the index. */
  findClosingForms(type: string): Promise<Pick<FormFacts, 'form_id' | 'form_kind' | 'form_config'>[]> {
    return this.db.current().query(
      sql`SELECT r.form_id, r.form_kind, r.form_config FROM form r WHERE r.tenant_id = ${requireScope().tenant_id}
            AND jsonb_path_exists(r.form_config, '$.fields.** ? (@.hidden == true || @.sensitive == true)')
            AND jsonb_path_exists(r.form_config, '$.fields.** ? (@.type == $type)', ${JSON.stringify({ type })}::jsonb)`,
    );
  }

  logRevision(form: Form, changes: readonly FieldChange[], by: string | null): Promise<number> {
    return this.db.current().execute(
      sql`INSERT INTO form_revision_log (tenant_id, frl_form, frl_revision, frl_config, frl_changes, frl_created, frl_created_by)
            VALUES (${requireScope().tenant_id}, ${form.form_id}, ${form.form_revision}, ${JSON.stringify(form.form_config)}, ${JSON.stringify(changes)}, ${form.form_updated}, ${by})`,
    );
  }

  /** Puts forms with ids of their own into the workspace at hand, where they are not there yet. */
  insertManagedForms(kind: RowKind, forms: readonly PlantedForm[], managed_by: string): Promise<number> {
    const rows = JSON.stringify(forms);
    return this.db.current().execute(
      sql`INSERT INTO form (tenant_id, form_id, form_kind, form_name, form_description, form_config, form_metadata, form_managed_by)
            SELECT ${requireScope().tenant_id}, f.form_id, ${kind}, f.form_name, f.form_description, f.form_config, coalesce(f.form_metadata, '{}'), ${managed_by}
            FROM jsonb_to_recordset(${rows}::jsonb) AS f (form_id uuid, form_name text, form_description text, form_config jsonb, form_metadata jsonb)
            ON CONFLICT (tenant_id, form_id) DO NOTHING`,
    );
  }
}

/** A form whose id is known before it is there: a standard template, or one that an extension brings. */
export interface PlantedForm {
  readonly form_id: string;
  readonly form_name: string;
  readonly form_description?: string | null;
  readonly form_config: JsonObject;
  readonly form_metadata?: JsonObject;
}
