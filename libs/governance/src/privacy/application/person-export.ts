import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ActingCallers, AclSources } from '@atrium/identity';
import { requireScope, sql, type Sql } from '@atrium/platform/database';
import { Clock, type JsonObject } from '@atrium/platform/kernel';
import { ObjectStore, SteadySource, ZipWriter } from '@atrium/platform/storage';
import type { ContextReport, PrivacyRequest, TableReport } from '../domain/privacy-request';
import { PersonRows, type Position } from '../infrastructure/person-rows';
import {
  PersonDataSources,
  tablesOf,
  type PersonColumn,
  type PersonData,
  type PersonObject,
  type PersonReader,
  type PersonRun,
} from '../../shared/application/person-data';
import type { PersonSubject } from '../../shared/domain/person-subject';

/** Rows of people's words may be large: so many are in memory at once. */
const ROWS_AT_ONCE = 50;

/** What one entry of the archive came to. */
interface Entry {
  readonly name: string;
  readonly rows?: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface Exported {
  readonly size: number;
  readonly report: Readonly<Record<string, ContextReport>>;
}

/** A run, and where it puts the archive. */
export type ExportRun = PersonRun & { readonly key: string };

/** Called after every table and file. */
export type Reached = (done: number, total: number) => Promise<void>;

interface Packing {
  readonly zip: ZipWriter;
  readonly subject: PersonSubject;
  readonly reader: PersonReader;
  readonly signal: AbortSignal;
  readonly entries: Entry[];
  readonly lost: string[];
  readonly reached: () => Promise<void>;
}

/**
 * Writes all that is kept of a person into one ZIP, straight into storage: a file of JSON for every registered table,
 * the bytes that contexts hand out, and a manifest with the hash of each. Whatever its size, a page of rows and one
 * open object are held at a time. A run that is cut off leaves nothing behind, and the next one begins again. What the
 * person made but may not read now is there by its ids alone.
 */
@Injectable()
export class PersonExport {
  constructor(
    private readonly sources: PersonDataSources,
    private readonly rows: PersonRows,
    private readonly callers: ActingCallers,
    private readonly acls: AclSources,
    private readonly store: ObjectStore,
    private readonly clock: Clock,
  ) {}

  /** Source and destination run side by side; the first failure stops both and is the one that counts. */
  async writeExport(request: PrivacyRequest, subject: PersonSubject, run: ExportRun, reached: Reached): Promise<Exported> {
    const zip = await ZipWriter.open();
    const stop = new AbortController();
    const signal = AbortSignal.any([run.signal, stop.signal]);
    const abort = (): void => zip.abort(new Error('The archive was stopped.'));
    signal.addEventListener('abort', abort, { once: true });
    const stopBoth = (error: unknown): never => {
      stop.abort(error);
      throw error;
    };
    const stored = this.store.putObject(run.key, zip.stream, { contentType: 'application/zip' });
    const filled = this.fill(zip, request, subject, signal, reached);
    const [size, report] = await Promise.allSettled([stored.catch(stopBoth), filled.catch(stopBoth)]);
    signal.removeEventListener('abort', abort);
    if (size.status === 'rejected' || report.status === 'rejected') throw stop.signal.reason;
    return { size: size.value.size, report: report.value };
  }

  private async fill(
    zip: ZipWriter,
    request: PrivacyRequest,
    subject: PersonSubject,
    signal: AbortSignal,
    reached: Reached,
  ): Promise<Exported['report']> {
    const sources = this.sources.listSources();
    const reader = await this.readerOf(subject);
    const withObjects = request.dsr_include_files && subject.user_id !== null ? sources.filter(({ objects }) => objects) : [];
    const counts = await Promise.all(withObjects.map(async ({ objects }) => (await objects?.count(subject.user_id ?? '', reader)) ?? 0));
    const total = [...sources.map((source) => tablesOf(source).size), ...counts].reduce((sum, part) => sum + part, 0);
    let done = 0;
    const packing: Packing = {
      zip,
      subject,
      reader,
      signal,
      entries: [],
      lost: [],
      reached: () => reached((done += 1), Math.max(done, total)),
    };
    const report: Record<string, ContextReport> = {};
    for (const source of sources) report[source.context] = await this.packTables(packing, source);
    for (const source of withObjects) await this.packObjects(packing, source);
    await zip.add(
      { name: 'manifest.json', modified: this.clock.now(), stored: false },
      Buffer.from(JSON.stringify(this.manifest(request, packing), null, 2)),
    );
    await zip.finish();
    return report;
  }

  private async packTables(packing: Packing, source: PersonData): Promise<ContextReport> {
    const report: Record<string, TableReport> = {};
    for (const [table, columns] of tablesOf(source)) {
      packing.signal.throwIfAborted();
      const tally = new Tally(`${source.context}/${table}.json`);
      await packing.zip.add(
        { name: tally.name, modified: this.clock.now(), stored: false },
        Readable.from(tally.text(this.rowsOf(table, columns, packing)), { objectMode: false }),
      );
      packing.entries.push({ ...tally.entry(), rows: tally.rows });
      report[table] = { exported: tally.rows, deleted: 0, anonymized: 0, kept: 0, kept_because: null };
      await packing.reached();
    }
    return report;
  }

  private async readerOf({ user_id }: PersonSubject): Promise<PersonReader> {
    return user_id === null ? null : ((await this.callers.resolveMemberPrincipals([user_id])).get(user_id) ?? null);
  }

  private async *rowsOf(table: string, columns: readonly PersonColumn[], { subject, reader }: Packing): AsyncGenerator<JsonObject, void> {
    const { rows: ownRows, shown, readable } = this.sources.getOwnTable(table);
    if (ownRows) return yield* await ownRows(subject);
    const isOpen = this.sources.listOpenTables().includes(table) ? sql`true` : sql`false`;
    const isReadable = (): Sql => readable?.(reader) ?? this.acls.readableCondition(table, reader) ?? isOpen;
    for (let after: Position | null = null; ;) {
      const { found, next }: { found: readonly JsonObject[]; next: Position | null } = await this.rows.listPersonRows(
        table,
        columns,
        subject,
        {
          readable: isReadable(),
          after,
          limit: ROWS_AT_ONCE,
        },
      );
      yield* shown ? await shown(found, subject, reader) : found;
      if (next === null) return;
      after = next;
    }
  }

  private async packObjects(packing: Packing, { objects }: PersonData): Promise<void> {
    if (!objects) return;
    for await (const object of objects.list(packing.subject.user_id ?? '', packing.reader)) {
      packing.signal.throwIfAborted();
      await this.packObject(packing, object);
      await packing.reached();
    }
  }

  /** An object whose bytes are not all to be had is left out and named in the manifest. */
  private async packObject({ zip, signal, entries, lost }: Packing, { name, modified, stored, ...object }: PersonObject): Promise<void> {
    const source = new SteadySource(this.store, object, signal);
    const bytes = object.size === 0 ? Readable.from([]) : await source.open();
    const tally = new Tally(`bytes/${name}`);
    if (!bytes && source.outage) throw source.outage;
    if (!bytes) return void lost.push(tally.name);
    await zip.add({ name: tally.name, modified, stored }, Readable.from(tally.bytes(bytes), { objectMode: false }));
    if (!source.isLost) return void entries.push(tally.entry());
    if (source.outage) throw source.outage;
    zip.withdrawLast();
    lost.push(tally.name);
  }

  private manifest({ dsr_id, dsr_subject_type, dsr_include_files }: PrivacyRequest, { subject, entries, lost }: Packing): JsonObject {
    const tables: Record<string, JsonObject> = {};
    for (const source of this.sources.listSources())
      tables[source.context] = Object.fromEntries(
        [...tablesOf(source)].map(([table, columns]) => [
          table,
          columns.map(({ column, on_erase, because }) => ({ column, on_erase, because })),
        ]),
      );
    return {
      dsr_id,
      ws_id: requireScope().tenant_id,
      made: this.clock.now().toISOString(),
      subject: { type: dsr_subject_type, user_id: subject.user_id, email: subject.email },
      include_files: dsr_include_files,
      entries: entries.map((entry) => ({ ...entry })),
      lost,
      tables,
    };
  }
}

/** Counts and hashes what flows through into one entry. */
class Tally {
  rows = 0;
  private size = 0;
  private readonly hash = createHash('sha256');

  constructor(readonly name: string) {}

  async *text(rows: AsyncIterable<JsonObject>): AsyncGenerator<Buffer, void> {
    for await (const row of rows) yield this.take(Buffer.from(`${this.rows++ === 0 ? '[\n' : ',\n'}${JSON.stringify(row)}`));
    yield this.take(Buffer.from(this.rows === 0 ? '[]\n' : '\n]\n'));
  }

  async *bytes(source: Readable): AsyncGenerator<Buffer, void> {
    for await (const chunk of source as AsyncIterable<Buffer>) yield this.take(chunk);
  }

  entry(): Entry {
    return { name: this.name, bytes: this.size, sha256: this.hash.digest('hex') };
  }

  private take(chunk: Buffer): Buffer {
    this.size += chunk.length;
    this.hash.update(chunk);
    return chunk;
  }
}
