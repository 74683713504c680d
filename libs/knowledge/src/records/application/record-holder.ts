import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  FormHolders,
  FormRows,
  HeldTable,
  type AdoptedForm,
  type DoubledValue,
  type Form,
  type FormHolder,
  type HeldContent,
  type ReturnedRow,
  type Sameness,
  type SeenRows,
} from '@atrium/forms';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql } from '@atrium/platform/database';
import { BasesRepository } from '../../bases/infrastructure/bases.repository';
import type { KnowledgeRecord } from '../domain/knowledge-record';
import { hashOf, textOf, type RecordFacts } from '../domain/record-facts';
import { RecordsRepository, type WrittenRecord } from '../infrastructure/records.repository';
import { RecordIndex } from './record-index';
import { sightOf } from './record-list';
import { RecordShapes, type RecordShape } from './record-shapes';

/** Records as the rows of their schemas: they follow a change of the schema, and are indexed again where it reads them differently. */
@Injectable()
export class RecordHolder implements FormHolder, OnModuleInit {
  readonly view = 'knowledge-base:view';
  readonly collection = 'knowledge-base-schemas';
  private readonly table: HeldTable;

  constructor(
    db: Database,
    private readonly holders: FormHolders,
    private readonly forms: FormRows,
    private readonly shapes: RecordShapes,
    private readonly records: RecordsRepository,
    private readonly bases: BasesRepository,
    private readonly index: RecordIndex,
  ) {
    this.table = new HeldTable(db, {
      table: 'knowledge_record',
      id: 'rec_id',
      form: 'rec_form',
      content: 'rec_content',
      claims: sql`r.rec_active`,
      within: 'rec_base',
      open: sql`EXISTS (SELECT FROM knowledge_base b WHERE b.tenant_id = r.tenant_id AND b.ds_id = r.rec_base AND b.ds_active AND b.ds_acl = '{}')`,
    });
  }

  onModuleInit(): void {
    this.holders.register('record', this);
  }

  countRows(form_id: string, path: readonly string[] = []): Promise<number> {
    return this.table.countRows(form_id, path);
  }

  findDuplicates(form_id: string, path: readonly string[], most: number, sameness?: Sameness): Promise<DoubledValue[]> {
    return this.table.findDuplicates(form_id, path, most, sameness);
  }

  findLiveRows(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return this.table.findLiveRows(ids);
  }

  findReadableRows(caller: Principal, ids: readonly string[]): Promise<ReadonlySet<string>> {
    const base = sql`EXISTS (SELECT FROM knowledge_base b WHERE b.tenant_id = r.tenant_id AND b.ds_id = r.rec_base AND b.ds_active AND ${aclAllows('b.ds_acl', caller, 'view')})`;
    return this.table.filterRows(ids, caller.permissions.has('knowledge-base:view') ? base : sql`false`);
  }

  seenRows(caller: Principal): SeenRows {
    const open = sql`EXISTS (SELECT FROM knowledge_record r JOIN knowledge_base b ON b.tenant_id = r.tenant_id AND b.ds_id = r.rec_base
      WHERE r.tenant_id = ${requireScope().tenant_id} AND r.rec_id = v.owner_id AND b.ds_active AND ${aclAllows('b.ds_acl', caller, 'view')})`;
    return { sight: sightOf(caller), readable: caller.permissions.has('knowledge-base:view') ? open : sql`false` };
  }

  adoptForm(pair: AdoptedForm, after: string | null, limit: number): Promise<string[]> {
    return this.records.adoptForm(pair, after, limit);
  }

  handOut(form_id: string, after: string | null, limit: number): Promise<HeldContent[]> {
    return this.table.handOut(form_id, after, limit);
  }

  lockRows(form_id: string, ids: readonly string[]): Promise<HeldContent[]> {
    return this.table.lockRows(form_id, ids);
  }

  async storeRows(form: Form, rows: readonly ReturnedRow[], { reworded }: { readonly reworded: boolean }): Promise<void> {
    const touched = rows.filter(({ changed }) => changed || reworded);
    if (touched.length === 0) return;
    const shape = this.shapes.toShape(await this.forms.openForm('record', form.form_id));
    const found = await this.records.lockMany(touched.map(({ id }) => id));
    const contents = new Map(touched.map(({ id, content }) => [id, content]));
    const followed = found.map((record) => {
      const rec_content = contents.get(record.rec_id) ?? record.rec_content;
      return { record, written: writtenOf(shape, record, { ...record, rec_content }, form.form_revision) };
    });
    await this.records.saveMigrated(followed.map(({ written }) => written));
    await this.reindex(followed);
  }

  private async reindex(followed: readonly { readonly record: KnowledgeRecord; readonly written: WrittenRecord }[]): Promise<void> {
    const open = followed.filter(({ record }) => record.isOpen);
    for (const ds_id of new Set(open.map(({ record }) => record.rec_base))) {
      const base = await this.bases.findRow(ds_id);
      if (!base?.ds_active) continue;
      await this.index.indexRecords(
        base,
        open.filter(({ record }) => record.rec_base === ds_id).map(({ written }) => written),
      );
    }
  }
}

function writtenOf(shape: RecordShape, { rec_id }: KnowledgeRecord, facts: RecordFacts, revision: number): WrittenRecord {
  const named = shape.renamedRecord({ ...facts, rec_id }, undefined);
  const now = { ...facts, rec_name: named.rec_content ? named.rec_name : facts.rec_name };
  return { ...now, rec_id, rec_hash: hashOf(now), rec_text: textOf(now, revision), words: shape.recordWords(now) };
}
