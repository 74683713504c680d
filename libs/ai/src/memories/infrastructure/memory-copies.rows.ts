import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { phrasesOf } from '../domain/memory-phrases';

interface UsingRun extends Record<string, unknown> {
  readonly run_id: string;
  readonly run_thread: string | null;
  readonly is_open: boolean;
  readonly run_sources: readonly JsonObject[];
}

/** Where copies were blanked. */
export interface BlankedRuns {
  readonly threads: readonly string[];
  /** Some of the runs are not over: they may write once more what they were given. */
  readonly isOpen: boolean;
  readonly left: boolean;
}

/** Copies of memories in what runs were given and what they wrote: sources, steps, calls of tools and answers. */
@Injectable()
export class MemoryCopies {
  constructor(private readonly db: Database) {}

  /**
   * Takes the memories out of some runs of their person, within the unit of work at hand: the texts that were sources, and
   * their sentences wherever they were repeated.
   */
  async blank(user: string, mem_ids: readonly string[], most: number): Promise<BlankedRuns> {
    const { tenant_id } = requireScope();
    const named = new Set<unknown>(mem_ids);
    const isNamed = ({ source_kind, source_id, text }: JsonObject): boolean =>
      source_kind === 'memory' && named.has(source_id) && text !== '';
    const runs = await this.db.current().query<UsingRun>(sql`
      SELECT r.run_id, r.run_thread, r.run_sources, r.run_status IN ('queued', 'running', 'waiting') AS is_open FROM run r WHERE r.tenant_id = ${tenant_id} AND r.run_user = ${user}::uuid
        AND EXISTS (SELECT FROM jsonb_array_elements(r.run_sources) s WHERE s->>'source_kind' = 'memory' AND s->>'source_id' = ANY (${[...mem_ids]}::text[]) AND s->>'text' <> '')
      ORDER BY r.run_created, r.run_id LIMIT ${most} FOR UPDATE OF r`);
    for (const { run_id, run_sources } of runs) {
      const phrases = run_sources.filter(isNamed).flatMap(({ text }) => (typeof text === 'string' ? phrasesOf(text) : []));
      await this.blankRun(
        run_id,
        run_sources.map((source) => (isNamed(source) ? { ...source, text: '' } : source)),
        phrases,
        mem_ids,
      );
    }
    return {
      threads: [...new Set(runs.flatMap(({ run_thread }) => (run_thread === null ? [] : [run_thread])))],
      isOpen: runs.some(({ is_open }) => is_open),
      left: runs.length === most,
    };
  }

  private async blankRun(
    run_id: string,
    sources: readonly JsonObject[],
    phrases: readonly string[],
    mem_ids: readonly string[],
  ): Promise<void> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    // As the phrases stand within JSON.
    const inJson = [...new Set(phrases)].map((phrase) => JSON.stringify(phrase).slice(1, -1));
    const plain = [...new Set(phrases)];
    await tx.execute(sql`
      UPDATE run r SET run_sources = ${JSON.stringify(sources)}::jsonb, run_input = without_phrases(r.run_input::text, ${inJson}::text[])::jsonb, run_output = without_phrases(r.run_output::text, ${inJson}::text[])::jsonb
      WHERE r.tenant_id = ${tenant_id} AND r.run_id = ${run_id}`);
    await tx.execute(sql`
      UPDATE run_step s SET parts = without_phrases(s.parts::text, ${inJson}::text[])::jsonb, correction = without_phrases(s.correction, ${plain}::text[])
      WHERE s.tenant_id = ${tenant_id} AND s.run_id = ${run_id}`);
    await tx.execute(sql`
      UPDATE run_tool_call c SET input = without_phrases(c.input::text, ${inJson}::text[])::jsonb, output = without_phrases(c.output::text, ${inJson}::text[])::jsonb,
        shown = without_phrases(c.shown::text, ${inJson}::text[])::jsonb, error = without_phrases(c.error, ${plain}::text[])
      WHERE c.tenant_id = ${tenant_id} AND c.run_id = ${run_id}`);
    await tx.execute(sql`
      UPDATE message m SET row_version = m.row_version + 1, msg_text = without_phrases(m.msg_text, ${plain}::text[]), msg_parts = without_phrases(m.msg_parts::text, ${inJson}::text[])::jsonb,
        msg_citations = (SELECT coalesce(jsonb_agg(CASE WHEN c.one->>'source_kind' = 'memory' AND c.one->>'source_id' = ANY (${[...mem_ids]}::text[]) THEN c.one || '{"quote": ""}' ELSE c.one END ORDER BY c.place), '[]')
          FROM jsonb_array_elements(without_phrases(m.msg_citations::text, ${inJson}::text[])::jsonb) WITH ORDINALITY AS c (one, place))
      WHERE m.tenant_id = ${tenant_id} AND m.msg_id = (SELECT r.run_message FROM run r WHERE r.tenant_id = ${tenant_id} AND r.run_id = ${run_id})`);
  }
}
