import { Injectable } from '@nestjs/common';
import { CalledRows, FormRows, FormValues, settingText, type CalledRow, type NamedReference, type NameQuestion } from '@atrium/forms';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { folded, spellingsOf } from '@atrium/platform/kernel';

export const NAMES_NONE = 'does not match any record that you can view';
/** Records of one name that are found: two of them are several. */
const MOST_OF_A_NAME = 2;

/** Records by what cells call them. */
@Injectable()
export class RecordNames {
  constructor(
    private readonly db: Database,
    private readonly forms: FormRows,
    private readonly values: FormValues,
  ) {}

  /**
   * Records by their external id or their name, of the base that the field names or of all, and in a base by a unique field of its schema
   * first; of bases that the actor may read. Within a unit of work.
   */
  async meant(questions: readonly NameQuestion[], actor: Principal | null): Promise<readonly NamedReference[]> {
    if (actor && !actor.permissions.has('knowledge-base:view')) return questions.map(() => ({ misfit: NAMES_NONE }));
    const open = actor ? aclAllows('b.ds_acl', actor, 'view') : sql`true`;
    const answers = new Map<NameQuestion, NamedReference>();
    for (const base of new Set(questions.map(baseOf))) {
      const asked = questions.filter((question) => baseOf(question) === base);
      const names = [...new Set(asked.map(({ name }) => name))];
      const keys = base === null ? [] : await this.keys(base, names, open);
      const rows = await this.called(base, { names, ids: keys.flatMap((owners) => [...owners.values()]) }, open);
      const called = new CalledRows(rows, keys, NAMES_NONE);
      for (const question of asked) answers.set(question, called.meaningOf(question.name));
    }
    return questions.map((question) => answers.get(question) ?? { misfit: NAMES_NONE });
  }

  /** Unique values hold within a base: without one they say nothing. */
  private async keys(base: string, names: readonly string[], open: Sql): Promise<readonly ReadonlyMap<unknown, string>[]> {
    const schema = sql`SELECT b.form_id FROM knowledge_base b WHERE b.tenant_id = ${requireScope().tenant_id} AND b.ds_id = ${base}::uuid AND b.ds_active AND ${open}`;
    const found = await this.db.current().first<{ form_id: string | null }>(schema);
    return typeof found?.form_id === 'string' ? this.values.keyed(await this.forms.open('record', found.form_id), names, base) : [];
  }

  private called(
    base: string | null,
    { names, ids }: { readonly names: readonly string[]; readonly ids: readonly string[] },
    open: Sql,
  ): Promise<(CalledRow & Record<string, unknown>)[]> {
    const of = sql`r.tenant_id = ${requireScope().tenant_id} AND r.rec_active AND b.ds_active AND ${open} AND ${base === null ? sql`true` : sql`r.rec_base = ${base}::uuid`}`;
    const row = sql`r.rec_id AS id, r.rec_name AS name, r.rec_external_id AS external_id`;
    const from = sql`FROM knowledge_record r JOIN knowledge_base b ON b.tenant_id = r.tenant_id AND b.ds_id = r.rec_base`;
    const words = [...new Set(names.map(folded))];
    return this.db.current().query(sql`
      SELECT ${row} ${from} WHERE ${of} AND r.rec_id = ANY(${[...ids]}::uuid[])
      UNION SELECT ${row} ${from} WHERE ${of} AND r.rec_external_id = ANY(${spellingsOf(names)}::text[])
      UNION SELECT n.id, n.name, n.external_id FROM (
        SELECT ${row}, row_number() OVER (PARTITION BY w.word ORDER BY r.rec_id) AS nth ${from} JOIN unnest(${words}::text[]) AS w (word) ON w.word = folded(r.rec_name)
        WHERE ${of} AND r.rec_name_key = ANY(ARRAY(SELECT lower("left"(k, 64)) FROM unnest(${[...names]}::text[]) AS k))) n WHERE n.nth <= ${MOST_OF_A_NAME}`);
  }
}

const baseOf = ({ settings }: NameQuestion): string | null => settingText({ settings }, 'base')?.toLowerCase() ?? null;
