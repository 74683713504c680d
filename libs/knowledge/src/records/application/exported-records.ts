import { Injectable } from '@nestjs/common';
import { FormRows, Forms, MASK, type Sight, type VisibleFields } from '@atrium/forms';
import { PersonDataSources, type PersonReader } from '@atrium/governance';
import { AclSources } from '@atrium/identity';
import { Database, raw, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { RecordReadingRows } from '../infrastructure/record-reading.rows';
import { sightOf } from './record-list';

interface Facts extends JsonObject {
  readonly rec_name: string;
  readonly rec_content: JsonObject;
}

type Row = JsonObject & { readonly rec_id: string; readonly rec_form?: string | null } & Partial<Facts>;
type VersionRow = JsonObject & { readonly rec_id: string; readonly rv_facts?: Facts };

/**
 * Records in the archive of a person: of bases that they may read now the fields that they may read, as the API shows them. Versions that
 * they wrote are theirs and stay, whatever became of the base. Nothing is shown of schemas that are gone.
 */
@Injectable()
export class ExportedRecords {
  constructor(
    sources: PersonDataSources,
    private readonly db: Database,
    private readonly reading: RecordReadingRows,
    private readonly schemas: FormRows,
    private readonly forms: Forms,
    private readonly acls: AclSources,
  ) {
    sources.registerTableHandler('knowledge_record', {
      readable: (reader) => this.inOpenBase('rec_base', reader),
      shown: (rows, _, reader) => this.records(rows as readonly Row[], reader),
    });
    sources.registerTableHandler('knowledge_crawl', { readable: (reader) => this.inOpenBase('crw_base', reader) });
    sources.registerTableHandler('knowledge_record_version', {
      shown: (rows, _, reader) => this.versions(rows as readonly VersionRow[], reader),
    });
  }

  /** Condition on a row `r` that names its base. */
  private inOpenBase(column: string, reader: PersonReader): Sql {
    const isOpen = this.acls.readableCondition('knowledge_base', reader) ?? sql`false`;
    return sql`${raw(`r.${column}`)} IN (SELECT r.ds_id FROM knowledge_base r WHERE r.tenant_id = ${requireScope().tenant_id} AND ${isOpen})`;
  }

  private async records(rows: readonly Row[], reader: PersonReader): Promise<readonly JsonObject[]> {
    const visible = await this.visible(
      rows.flatMap(({ rec_form }) => rec_form ?? []),
      reader,
    );
    return rows.map((row): JsonObject => {
      const { rec_form = null, rec_name, rec_content } = row;
      if (rec_form === null || rec_name === undefined || rec_content === undefined) return row;
      return { ...row, ...shownFacts({ rec_name, rec_content }, visible.get(rec_form)) };
    });
  }

  /** By the schema that their record has now; what it does not have is left out. */
  private async versions(rows: readonly VersionRow[], reader: PersonReader): Promise<readonly JsonObject[]> {
    const formOf = await this.db.read(() => this.reading.findForms(rows.map(({ rec_id }) => rec_id)));
    const visible = await this.visible(
      [...formOf.values()].flatMap((form) => form ?? []),
      reader,
    );
    return rows.map((row): JsonObject => {
      const form = formOf.get(row.rec_id);
      if (!row.rv_facts || form === null) return row;
      return { ...row, rv_facts: { ...row.rv_facts, ...shownFacts(row.rv_facts, form === undefined ? undefined : visible.get(form)) } };
    });
  }

  /** Who cannot act any more sees the open fields alone. */
  private async visible(form_ids: readonly string[], reader: PersonReader): Promise<ReadonlyMap<string, VisibleFields>> {
    const sight: Sight = reader ? sightOf(reader) : {};
    const forms = await this.schemas.openAll('record', [...new Set(form_ids)]);
    return new Map([...forms].map(([id, { compiled }]) => [id, this.forms.visibleFields(compiled, sight)]));
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
