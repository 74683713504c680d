import { Injectable } from '@nestjs/common';
import { FormRows, Forms, MASK, type Sight, type VisibleFields } from '@atrium/forms';
import { PersonDataSources, type PersonSubject } from '@atrium/governance';
import { ActingCallers } from '@atrium/identity';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { sightOf } from './record-list';

interface Facts extends JsonObject {
  readonly rec_name: string;
  readonly rec_content: JsonObject;
}

type Row = JsonObject & { readonly rec_id: string; readonly rec_form?: string | null } & Partial<Facts>;
type VersionRow = JsonObject & { readonly rec_id: string; readonly rv_facts?: Facts };

/** Records in the archive of a person: the fields that they may read now, as the API shows them. Nothing is shown of schemas that are gone. */
@Injectable()
export class ExportedRecords {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
    private readonly schemas: FormRows,
    private readonly forms: Forms,
    private readonly callers: ActingCallers,
  ) {
    sources.handle('knowledge_record', { shown: (rows, subject) => this.records(rows as readonly Row[], subject) });
    sources.handle('knowledge_record_version', { shown: (rows, subject) => this.versions(rows as readonly VersionRow[], subject) });
  }

  private async records(rows: readonly Row[], subject: PersonSubject): Promise<readonly JsonObject[]> {
    const visible = await this.visible(
      rows.flatMap(({ rec_form }) => rec_form ?? []),
      subject,
    );
    return rows.map((row): JsonObject => {
      const { rec_form = null, rec_name, rec_content } = row;
      if (rec_form === null || rec_name === undefined || rec_content === undefined) return row;
      return { ...row, ...shownFacts({ rec_name, rec_content }, visible.get(rec_form)) };
    });
  }

  /** By the schema that their record has now; what it does not have is left out. */
  private async versions(rows: readonly VersionRow[], subject: PersonSubject): Promise<readonly JsonObject[]> {
    const formOf = await this.formsOf(rows.map(({ rec_id }) => rec_id));
    const visible = await this.visible(
      [...formOf.values()].flatMap((form) => form ?? []),
      subject,
    );
    return rows.map((row): JsonObject => {
      const form = formOf.get(row.rec_id);
      if (!row.rv_facts || form === null) return row;
      return { ...row, rv_facts: { ...row.rv_facts, ...shownFacts(row.rv_facts, form === undefined ? undefined : visible.get(form)) } };
    });
  }

  private async formsOf(rec_ids: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
    const rows = await this.db.read((tx) =>
      tx.query<{ rec_id: string; rec_form: string | null }>(
        sql`SELECT r.rec_id, r.rec_form FROM knowledge_record r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = ANY(${[...rec_ids]}::uuid[])`,
      ),
    );
    return new Map(rows.map(({ rec_id, rec_form }) => [rec_id, rec_form]));
  }

  private async visible(form_ids: readonly string[], subject: PersonSubject): Promise<ReadonlyMap<string, VisibleFields>> {
    const sight = await this.sightOf(subject);
    const forms = await this.schemas.openAll('record', [...new Set(form_ids)]);
    return new Map([...forms].map(([id, { compiled }]) => [id, this.forms.visible(compiled, sight)]));
  }

  /** Who cannot act any more sees the open fields alone. */
  private async sightOf({ user_id }: PersonSubject): Promise<Sight> {
    const person = user_id === null ? undefined : (await this.callers.among([user_id])).get(user_id);
    return person ? sightOf(person) : {};
  }
}

/** A name that repeats a value which is not shown is not shown either. */
function shownFacts({ rec_name, rec_content }: Facts, visible: VisibleFields | undefined): Facts {
  const content = visible?.project(rec_content).content ?? {};
  const isClosed = says(rec_content, rec_name) && !says(content, rec_name);
  return { rec_name: isClosed ? MASK : rec_name, rec_content: content };
}

const says = (value: JsonValue, text: string): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some((part) => says(part, text)) : String(value) === text;
