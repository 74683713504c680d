import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, join, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { Field } from '../domain/field';
import { ROW_KINDS } from '../domain/form';
import { VisibleFields } from '../domain/visible-fields';
import { FormValueRows } from '../infrastructure/form-values.rows';
import { FormsRepository } from '../infrastructure/forms.repository';
import { FormHolders, type SeenRows } from './form-holders';
import { Forms } from './forms';

/** A reference to terms or the like, by a field or, with a key that begins with a dollar, beside the fields. */
const BESIDE = '$%';

/**
 * How often something is referred to, as one caller sees it: places in rows that the caller may not read, and in fields that they do
 * not see, count for nothing, and so do rows whose configuration is not a row of `form`. Two statements, however many ids.
 */
@Injectable()
export class SeenUses {
  constructor(
    private readonly db: Database,
    private readonly values: FormValueRows,
    private readonly rows: FormsRepository,
    private readonly forms: Forms,
    private readonly holders: FormHolders,
  ) {}

  /**
   * Uses of each of the ids by fields of the type, such as `taxonomy`; none is counted further than `most`. Rows that are deleted and may
   * be restored count.
   */
  async countUses(
    caller: Principal,
    type: Field['type']['name'],
    ids: readonly string[],
    most: number,
  ): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map();
    const found = await this.db.read(async () => this.values.countUses(ids, most, await this.seenBy(caller, type)));
    return new Map(found.map(({ id, uses }) => [id, uses]));
  }

  /** Condition on `v`, a value of the index. */
  private async seenBy(caller: Principal, type: string): Promise<Sql> {
    const seen = new Map(ROW_KINDS.map((kind) => [kind, this.holders.findHolder(kind)?.seenRows?.(caller) ?? NOTHING]));
    const closing = await this.rows.findClosingForms(type);
    const shown = closing.flatMap(({ form_id, form_kind, form_config }) => {
      const compiled = this.forms.compileForm(form_config, { kind: form_kind });
      const visible = new VisibleFields(compiled, seen.get(form_kind)?.sight);
      return compiled.all.filter((field) => visible.reveals(field)).map(({ path }) => ({ form_id, path }));
    });
    const ids = closing.map(({ form_id }) => form_id);
    // A key that is not known to be open, such as an old one of a field that was renamed, is not counted.
    const ofOpenField = sql`(NOT v.form_id = ANY (${ids}::uuid[]) OR v.field_key LIKE ${BESIDE} OR (v.form_id, v.field_key) IN (
      SELECT * FROM unnest(${shown.map(({ form_id }) => form_id)}::uuid[], ${shown.map(({ path }) => path)}::text[])))`;
    const ofOpenRow = [...seen].map(
      ([kind, { readable }]) =>
        sql`WHEN v.form_id IN (SELECT f.form_id FROM form f WHERE f.tenant_id = ${requireScope().tenant_id} AND f.form_kind = ${kind}) THEN ${readable}`,
    );
    // Who may read rows whose configuration is no form is not known here.
    return sql`${ofOpenField} AND CASE ${join(ofOpenRow, ' ')} ELSE false END`;
  }
}

/** Of rows of a kind that nobody keeps nothing is seen. */
const NOTHING: SeenRows = { sight: {}, readable: sql`false` };
