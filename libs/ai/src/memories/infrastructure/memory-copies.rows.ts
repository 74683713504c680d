import { Injectable } from '@nestjs/common';
import { Database, raw, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { HOLD_OF_THREAD } from '../../shared/thread-holds';
import { MEMORY_CALLS, phrasesOf, saysForgotten } from '../domain/memory-phrases';
import { ForgottenMemories, type ForgottenMemory } from './forgotten-memories.rows';

interface UsingRun extends Record<string, unknown> {
  readonly run_id: string;
  readonly run_sources: readonly JsonObject[];
  readonly is_open: boolean;
}

interface MemoryCall extends Record<string, unknown> {
  readonly call_id: string;
  readonly tool: string;
  readonly input: JsonObject;
}

/** What came of a stretch of runs. */
export interface BlankedRuns {
  /** Some of the runs are not over: they may write once more what they were given. */
  readonly isOpen: boolean;
  /** A legal hold keeps the thread, and nothing was changed. */
  readonly isHeld: boolean;
  /** The run with which the next stretch begins behind; null where none is left. */
  readonly next: string | null;
}

const CALLS = [...MEMORY_CALLS];

/** Copies of memories in what runs were given and what they wrote: sources, steps, calls of tools and answers. Within a unit of work. */
@Injectable()
export class MemoryCopies {
  constructor(
    private readonly db: Database,
    private readonly forgotten: ForgottenMemories,
  ) {}

  /** Threads in which a run of the person was given one of the memories, or wrote one down or forgot one: other answers there may repeat it. */
  async threads(user: string, mem_ids: readonly string[]): Promise<string[]> {
    const rows = await this.db.current().query<{ run_thread: string }>(sql`
      SELECT DISTINCT r.run_thread FROM run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_user = ${user}::uuid AND r.run_thread IS NOT NULL
        AND (EXISTS (SELECT FROM jsonb_array_elements(r.run_sources) s WHERE s->>'source_kind' = 'memory' AND s->>'source_id' = ANY (${[...mem_ids]}::text[]))
          OR EXISTS (SELECT FROM run_tool_call c WHERE c.tenant_id = r.tenant_id AND c.run_id = r.run_id AND c.tool = ANY (${CALLS}::text[])))
      ORDER BY r.run_thread`);
    return rows.map(({ run_thread }) => run_thread);
  }

  /**
   * Takes the memories out of some runs of their person in one thread: the texts that were sources, their sentences wherever they were
   * repeated, and the calls that wrote them down or forgot them.
   */
  async blank(
    user: string,
    thread_id: string,
    memories: readonly ForgottenMemory[],
    { after, most }: { readonly after: string | null; readonly most: number },
  ): Promise<BlankedRuns> {
    const { tenant_id } = requireScope();
    const thread = await this.db
      .current()
      .first<{ hold: string | null }>(
        sql`SELECT ${HOLD_OF_THREAD} AS hold FROM thread r WHERE r.tenant_id = ${tenant_id} AND r.thread_id = ${thread_id}`,
      );
    if (thread && thread.hold !== null) return { isOpen: false, isHeld: true, next: null };
    const runs = await this.db.current().query<UsingRun>(sql`
      SELECT r.run_id, r.run_sources, r.run_status IN ('queued', 'running', 'waiting') AS is_open FROM run r
      WHERE r.tenant_id = ${tenant_id} AND r.run_thread = ${thread_id} AND r.run_user = ${user}::uuid AND ${after === null ? sql`true` : sql`r.run_id > ${after}::uuid`}
      ORDER BY r.run_id LIMIT ${most} FOR UPDATE OF r`);
    const worded = new Map(memories.map(({ mem_id, texts }) => [mem_id, new Set(texts)]));
    for (const run of runs) await this.blankRun(run, worded);
    return { isOpen: runs.some(({ is_open }) => is_open), isHeld: false, next: runs.length < most ? null : (runs.at(-1)?.run_id ?? null) };
  }

  private async blankRun({ run_id, run_sources, is_open }: UsingRun, worded: ReadonlyMap<string, Set<string>>): Promise<void> {
    const sources: JsonObject[] = [];
    for (const source of run_sources) {
      const mem_id = source.source_kind === 'memory' && typeof source.source_id === 'string' ? source.source_id : '';
      const texts = worded.get(mem_id);
      if (texts && typeof source.text === 'string' && source.text !== '') {
        texts.add(source.text);
        // When the run is over it is looked at again, and then its sources say nothing any more.
        if (is_open) await this.forgotten.noteWording(mem_id, source.text);
      }
      sources.push(texts ? { ...source, text: '' } : source);
    }
    const texts = [...worded.values()].flatMap((some) => [...some]);
    const phrases = [...new Set(texts.flatMap(phrasesOf))].sort((a, b) => b.length - a.length);
    await this.rewrite(run_id, { sources, phrases, mem_ids: [...worded.keys()], calls: await this.callsAbout(run_id, texts) });
  }

  /** Ended calls that wrote one of the texts down or forgot it; those that were blanked before may stand in an answer that was written since. */
  private async callsAbout(run_id: string, texts: readonly string[]): Promise<string[]> {
    const calls = await this.db
      .current()
      .query<MemoryCall>(
        sql`SELECT c.call_id, c.tool, c.input FROM run_tool_call c WHERE c.tenant_id = ${requireScope().tenant_id} AND c.run_id = ${run_id} AND c.tool = ANY (${CALLS}::text[]) AND c.state NOT IN ('pending', 'running')`,
      );
    return calls
      .filter(({ tool, input }) => Object.keys(input).length === 0 || texts.some((text) => saysForgotten(text, tool, input)))
      .map(({ call_id }) => call_id);
  }

  private async rewrite(
    run_id: string,
    {
      sources,
      phrases,
      mem_ids,
      calls,
    }: {
      readonly sources: readonly JsonObject[];
      readonly phrases: readonly string[];
      readonly mem_ids: readonly string[];
      readonly calls: readonly string[];
    },
  ): Promise<void> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    const plain = [...phrases];
    // As the phrases stand within JSON.
    const inJson = phrases.map((phrase) => JSON.stringify(phrase).slice(1, -1));
    const cleanText = (column: string): Sql => sql`without_phrases(${raw(column)}, ${plain}::text[])`;
    const cleanJson = (json: Sql): Sql => sql`without_phrases((${json})::text, ${inJson}::text[])::jsonb`;
    const withoutCalls = (column: string): Sql =>
      calls.length === 0
        ? raw(column)
        : sql`(SELECT coalesce(jsonb_agg(CASE WHEN p.part->>'call_id' = ANY (${[...calls]}::text[]) THEN p.part || '{"input": {}}' ELSE p.part END ORDER BY p.place), '[]')
            FROM jsonb_array_elements(${raw(column)}) WITH ORDINALITY AS p (part, place))`;
    await tx.execute(sql`
      UPDATE run r SET run_sources = ${JSON.stringify(sources)}::jsonb, run_input = ${cleanJson(raw('r.run_input'))}, run_output = ${cleanJson(raw('r.run_output'))}
      WHERE r.tenant_id = ${tenant_id} AND r.run_id = ${run_id}`);
    await tx.execute(sql`
      UPDATE run_step s SET parts = ${cleanJson(withoutCalls('s.parts'))}, correction = ${cleanText('s.correction')} WHERE s.tenant_id = ${tenant_id} AND s.run_id = ${run_id}`);
    await tx.execute(sql`
      UPDATE run_tool_call c SET input = CASE WHEN c.call_id = ANY (${[...calls]}::text[]) THEN '{}' ELSE ${cleanJson(raw('c.input'))} END,
        output = CASE WHEN c.call_id = ANY (${[...calls]}::text[]) THEN '{}' ELSE ${cleanJson(raw('c.output'))} END,
        shown = ${cleanJson(raw('c.shown'))}, error = ${cleanText('c.error')}
      WHERE c.tenant_id = ${tenant_id} AND c.run_id = ${run_id}`);
    await tx.execute(sql`
      UPDATE message m SET row_version = m.row_version + 1, msg_text = ${cleanText('m.msg_text')}, msg_parts = ${cleanJson(withoutCalls('m.msg_parts'))},
        msg_citations = (SELECT coalesce(jsonb_agg(CASE WHEN c.one->>'source_kind' = 'memory' AND c.one->>'source_id' = ANY (${[...mem_ids]}::text[]) THEN c.one || '{"quote": ""}' ELSE c.one END ORDER BY c.place), '[]')
          FROM jsonb_array_elements(${cleanJson(raw('m.msg_citations'))}) WITH ORDINALITY AS c (one, place))
      WHERE m.tenant_id = ${tenant_id} AND m.msg_id = (SELECT r.run_message FROM run r WHERE r.tenant_id = ${tenant_id} AND r.run_id = ${run_id})`);
  }
}
