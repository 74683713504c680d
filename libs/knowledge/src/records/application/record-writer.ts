import { Injectable } from '@nestjs/common';
import { FormValues } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Database, LostRace, sql } from '@atrium/platform/database';
import { Clock, Ids, notFound } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { BasesRepository } from '../../bases/infrastructure/bases.repository';
import type { RecordSource } from '../domain/knowledge-record';
import { hashOf, type CleanWish } from '../domain/record-facts';
import { RecordsRepository, type ChosenRecords } from '../infrastructure/records.repository';
import { draftsOf, refusedDraft, type RecordDraft, type Written } from './record-drafts';
import { RecordIndex } from './record-index';
import { keyIn, RecordPreparation, type OpenBase, type ReadyRecord } from './record-preparation';
import { RecordShapes } from './record-shapes';

/** How entries are written. */
export interface RecordWriting {
  readonly source: RecordSource;
  /** The crawl that keeps the records up to date. */
  readonly crawl?: string | null;
  readonly mode: 'insert' | 'upsert';
  /** A unique field of the schema by which records are found; without it `rec_external_id` does. */
  readonly key?: string;
}

/**
 * The one way of records into a base, for clients, imports and crawls. Entries that say what a record says already change
 * nothing; each entry is written or refused for itself. Everything happens in the unit of work of the writer, which keeps the
 * base as it is while others write beside.
 */
@Injectable()
export class RecordWriter {
  constructor(
    private readonly db: Database,
    private readonly bases: BasesRepository,
    private readonly records: RecordsRepository,
    private readonly shapes: RecordShapes,
    private readonly preparation: RecordPreparation,
    private readonly values: FormValues,
    private readonly index: RecordIndex,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Writes entries, answering for each of them in their order. */
  writeMany(ds_id: string, entries: readonly CleanWish[], writing: RecordWriting, acting: Principal | null): Promise<readonly Written[]> {
    return this.db.write(async () => {
      const open = await this.openBase(ds_id);
      const known = await this.preparation.findKnownRecords(open, entries, writing.key);
      const { drafts, refusals } = draftsOf(entries, known, (entry) => keyIn(entry, writing.key, open.shape), {
        upsert: writing.mode === 'upsert',
        ids: this.ids,
      });
      const written = new Map([...refusals, ...(await this.writeDrafts(open, drafts, writing, acting))]);
      if (drafts.some(({ at, previous }) => previous === null && wasOvertaken(written.get(at), writing))) throw new LostRace();
      return entries.map((_, at) => written.get(at) ?? refusedDraft());
    });
  }

  /** The base for writing: kept as it is, active, with its schema held still; within a unit of work. */
  async openBase(ds_id: string): Promise<OpenBase> {
    const base = await this.bases.keepBase(ds_id, (row) => {
      if (!row.ds_active) throw notFound('knowledge base');
    });
    return { base, shape: await this.shapes.readShapeForWriting(base) };
  }

  /** Writes drafts into an open base; outcomes by their places. */
  async writeDrafts(
    open: OpenBase,
    drafts: readonly RecordDraft[],
    { source, crawl = null }: Pick<RecordWriting, 'source' | 'crawl'>,
    acting: Principal | null,
  ): Promise<ReadonlyMap<number, Written>> {
    const { ready, settled } = await this.preparation.prepareDrafts(open, drafts, acting);
    const { base } = open;
    const [fresh, changed] = [recordsOf(ready, false), recordsOf(ready, true)];
    base.assertRoom(fresh.length);
    const writing = {
      rec_base: base.ds_id,
      rec_form: base.form_id,
      rec_source: source,
      rec_crawl: crawl,
      by: acting?.user_id ?? null,
      now: this.clock.now(),
    };
    await this.records.insertMany(fresh, writing);
    await this.records.updateMany(changed, writing);
    await this.index.indexRecords(base, [...fresh, ...changed]);
    for (const { rec_id } of fresh) this.outbox.emitEvent({ name: 'record.created', subject_id: rec_id, payload: { ds_id: base.ds_id } });
    for (const { rec_id } of changed) this.outbox.emitEvent({ name: 'record.updated', subject_id: rec_id, payload: { ds_id: base.ds_id } });
    const outcomes = ready.map(({ draft: { at, rec_id, previous } }): [number, Written] => [
      at,
      { outcome: previous ? 'updated' : 'created', rec_id, issues: [] },
    ]);
    return new Map([...settled, ...outcomes]);
  }

  /** Takes records out of searches and keeps them, at most `most` (500) at once; archived ones stay. Returns their ids; an empty list: there are no more. */
  archiveMany(ds_id: string, chosen: ChosenRecords, acting: Principal | null): Promise<readonly string[]> {
    return this.db.write(async () => {
      const base = await this.bases.keepBase(ds_id);
      const found = await this.records.lockChosen(base.ds_id, chosen, sql`r.rec_status <> 'archived'`);
      const archived = found
        .filter(({ rec_status }) => rec_status !== 'archived')
        .map((record) => Object.assign(record, { rec_status: 'archived' as const }));
      await this.records.updateStatus(
        archived.map((record) => ({ rec_id: record.rec_id, rec_status: record.rec_status, rec_hash: hashOf(record) })),
        { by: acting?.user_id ?? null, now: this.clock.now() },
      );
      const ids = archived.map(({ rec_id }) => rec_id);
      await this.index.hideRecords(ids);
      for (const rec_id of ids) this.outbox.emitEvent({ name: 'record.updated', subject_id: rec_id, payload: { ds_id } });
      return ids;
    });
  }

  /** Deletes records, at most `most` (500) at once. Returns their ids; an empty list: there are no more. */
  removeMany(ds_id: string, chosen: ChosenRecords, acting: Principal | null): Promise<readonly string[]> {
    return this.db.write(async () => {
      const base = await this.bases.keepBase(ds_id);
      const ids = (await this.records.lockChosen(base.ds_id, chosen, sql`true`)).map(({ rec_id }) => rec_id);
      await this.records.deactivateRecords(ids, { by: acting?.user_id ?? null, now: this.clock.now() });
      await this.values.freeUniqueValues(ids);
      await this.index.hideRecords(ids);
      for (const rec_id of ids) this.outbox.emitEvent({ name: 'record.deleted', subject_id: rec_id, payload: { ds_id } });
      return ids;
    });
  }
}

/** An entry was to be a record of its own, and the value that finds records is taken: another writer made that record at the same time. */
const wasOvertaken = (written: Written | undefined, { mode, key }: RecordWriting): boolean =>
  mode === 'upsert' &&
  key !== undefined &&
  written?.outcome === 'refused' &&
  written.issues.some(({ path, code }) => code === 'unique' && path === `rec_content.${key}`);

const recordsOf = (ready: readonly ReadyRecord[], known: boolean): readonly ReadyRecord['record'][] =>
  ready.filter(({ draft }) => (draft.previous !== null) === known).map(({ record }) => record);
