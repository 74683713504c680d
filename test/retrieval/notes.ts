import type { INestApplicationContext } from '@nestjs/common';
import {
  PassageIndex,
  PassageSearch,
  SearchScopes,
  SourceKinds,
  type ChunkOptions,
  type PassageQuery,
  type PassageResult,
  type SourceKind,
  type SourceText,
} from '@atrium/retrieval';
import { Database, inWorkspace, sql, type Sql } from '@atrium/platform/database';
import { newId } from '@atrium/platform/kernel';
import { eventually, type RunningApi, type TestWorkspace } from '@atrium/platform/testing';

/** A note as these tests keep it: what a context with searchable things is to the index. */
export interface Note {
  readonly id: string;
  title: string;
  markdown: string;
  version: number;
  language?: string;
  pages?: SourceText['pages'];
}

export const NOTE = 'test-note';
const NOTES = 'test-notes';

/** Notes of many workspaces, registered with the hosts of a test as a context would register them. */
export class Notes implements SourceKind {
  readonly kind = NOTE;
  readonly notes = new Map<string, Note>();
  /** Ids that nobody but their workspace's callers named here may read. */
  readonly hidden = new Set<string>();
  readonly filters = { titled: (value: unknown): Sql => sql`s.source_title = ${String(value)}` };

  constructor(
    private readonly api: RunningApi,
    hosts: readonly INestApplicationContext[],
  ) {
    for (const host of hosts) {
      host.get(SourceKinds, { strict: false }).register(this);
      host.get(SearchScopes, { strict: false }).register({
        prefix: NOTES,
        findReadableKeys: (_actor, keys) =>
          Promise.resolve(keys === null ? [`${NOTES}:open`] : keys.filter((key) => key !== `${NOTES}:closed`)),
      });
    }
  }

  readText(id: string): Promise<SourceText | null> {
    const note = this.notes.get(id);
    if (!note) return Promise.resolve(null);
    const { title, markdown, version, language = null, pages = [] } = note;
    return Promise.resolve({ version: String(version), version_id: null, title, url: null, markdown, pages, language, meta: {} });
  }

  findVersion(id: string): Promise<string | null> {
    const note = this.notes.get(id);
    return Promise.resolve(note ? String(note.version) : null);
  }

  existsCondition(): Sql {
    return sql`s.source_id = ANY(${[...this.notes.keys()]}::uuid[])`;
  }

  buildReadableCondition(): Promise<Sql> {
    return Promise.resolve(sql`NOT s.source_id = ANY(${[...this.hidden]}::uuid[])`);
  }

  /** Writes the note and has it searched; indexing follows in the background. */
  async put(workspace: TestWorkspace, note: Partial<Note> & { markdown: string }, options?: ChunkOptions): Promise<Note> {
    const known = note.id ? this.notes.get(note.id) : undefined;
    const whole: Note = { id: newId(), title: 'Note', ...known, ...note, version: (known?.version ?? 0) + 1 };
    this.notes.set(whole.id, whole);
    await this.in(workspace, () => this.index.indexSource({ kind: NOTE, id: whole.id }, String(whole.version), [`${NOTES}:open`], options));
    return whole;
  }

  /** The same, once it is found. */
  async made(workspace: TestWorkspace, note: Partial<Note> & { markdown: string }, options?: ChunkOptions): Promise<Note> {
    const whole = await this.put(workspace, note, options);
    await this.settled(workspace);
    return whole;
  }

  /** Until nothing of the workspace waits to be indexed. */
  async settled({ tenant_id }: TestWorkspace): Promise<void> {
    await eventually(
      () =>
        this.api.sql<{ open: number }>(
          `SELECT count(*)::integer AS open FROM passage_source WHERE tenant_id = $1 AND source_status = 'pending' AND source_error IS NULL`,
          [tenant_id],
        ),
      ([row]) => row?.open === 0,
      600_000,
    );
  }

  search(workspace: TestWorkspace, query: string, wanted: Partial<PassageQuery> = {}): Promise<PassageResult> {
    return this.in(workspace, () =>
      this.api.app.get(PassageSearch, { strict: false }).searchPassages({ actor: null, query, scopes: [`${NOTES}:open`], ...wanted }),
    );
  }

  passages({ tenant_id }: TestWorkspace, { id }: Pick<Note, 'id'>): Promise<PassageOfNote[]> {
    return this.api.sql<PassageOfNote>(
      'SELECT passage_id, psg_text, psg_ordinal, psg_char_start, psg_char_end FROM passage WHERE tenant_id = $1 AND source_id = $2 ORDER BY psg_ordinal',
      [tenant_id, id],
    );
  }

  get index(): PassageIndex {
    return this.api.app.get(PassageIndex, { strict: false });
  }

  get db(): Database {
    return this.api.app.get(Database, { strict: false });
  }

  in<T>({ tenant_id }: TestWorkspace, work: () => Promise<T>): Promise<T> {
    return inWorkspace(tenant_id, work);
  }
}

export interface PassageOfNote {
  readonly passage_id: string;
  readonly psg_text: string;
  readonly psg_ordinal: number;
  readonly psg_char_start: number;
  readonly psg_char_end: number;
  readonly [column: string]: unknown;
}
