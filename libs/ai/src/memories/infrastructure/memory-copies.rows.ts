import { Injectable } from '@nestjs/common';
import { namesAlone } from '@atrium/models';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import { HOLD_OF_THREAD } from '../../shared/thread-holds';
import { Blanking } from '../domain/blanked-copies';
import { MEMORY_CALLS, phrasesOf, saysForgotten, shortTextOf } from '../domain/memory-phrases';
import type { ForgottenMemory } from './forgotten-memories.rows';

interface UsingRun extends Record<string, unknown> {
  readonly run_id: string;
  readonly run_sources: readonly JsonObject[];
  readonly run_input: JsonValue;
  readonly run_output: JsonValue;
  readonly run_reason: string | null;
  readonly run_message: string | null;
  readonly is_open: boolean;
  /** It is at work and has not asked the model yet: what it was given may not be kept yet. */
  readonly is_beginning: boolean;
}

interface CallCopy extends Record<string, unknown> {
  readonly call_id: string;
  readonly tool: string;
  readonly input: JsonObject;
  readonly output: JsonValue;
  readonly shown: JsonValue;
  readonly error: string | null;
  readonly is_over: boolean;
}

interface StepCopy extends Record<string, unknown> {
  readonly step: number;
  readonly attempt: number;
  readonly parts: readonly JsonObject[];
  readonly correction: string | null;
}

interface AnswerCopy extends Record<string, unknown> {
  readonly msg_text: string;
  readonly msg_parts: readonly JsonObject[];
  readonly msg_citations: readonly JsonObject[];
  readonly msg_recalls: boolean;
}

/** What came of a stretch of runs. */
export interface BlankedRuns {
  /** Some of the runs are not over and were given what is blanked: they may write it once more. */
  readonly isOpen: boolean;
  /** A legal hold keeps the thread, and nothing was changed. */
  readonly isHeld: boolean;
  /** Something said it and does not any more. */
  readonly isChanged: boolean;
  /** The run with which the next stretch begins behind; null where none is left. */
  readonly next: string | null;
}

const CALLS = [...MEMORY_CALLS];
const LONGEST_REASON = 1_000;

/** Copies of memories in what runs were given and what they wrote: sources, steps, calls of tools and answers. Within a unit of work. */
@Injectable()
export class MemoryCopies {
  constructor(private readonly db: Database) {}

  /** Threads in which a run of the person was given one of the memories, or wrote one down or forgot one: other answers there may repeat it. */
  async findThreads(user: string, mem_ids: readonly string[]): Promise<string[]> {
    const rows = await this.db.current().query<{ run_thread: string }>(sql`
      SELECT DISTINCT r.run_thread FROM run r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.run_user = ${user}::uuid AND r.run_thread IS NOT NULL
        AND (EXISTS (SELECT FROM jsonb_array_elements(r.run_sources) s WHERE s->>'source_kind' = 'memory' AND s->>'source_id' = ANY (${[...mem_ids]}::text[]))
          OR EXISTS (SELECT FROM run_tool_call c WHERE c.tenant_id = r.tenant_id AND c.run_id = r.run_id AND c.tool = ANY (${CALLS}::text[])))
      ORDER BY r.run_thread`);
    return rows.map(({ run_thread }) => run_thread);
  }

  /**
   * Takes the memories, in all their wordings, out of some runs of their person in one thread: the texts that were sources, their
   * sentences wherever they were repeated, and the calls that wrote them down or forgot them. What says nothing of them is not written.
   */
  async blankCopies(
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
    if (thread && thread.hold !== null) return { isOpen: false, isHeld: true, isChanged: false, next: null };
    const runs = await this.db.current().query<UsingRun>(sql`
      SELECT r.run_id, r.run_sources, r.run_input, r.run_output, r.run_reason, r.run_message, r.run_status IN ('queued', 'running', 'waiting') AS is_open,
        r.run_status = 'running' AND r.run_steps = 0 AS is_beginning FROM run r
      WHERE r.tenant_id = ${tenant_id} AND r.run_thread = ${thread_id} AND r.run_user = ${user}::uuid AND ${after === null ? sql`true` : sql`r.run_id > ${after}::uuid`}
      ORDER BY r.run_id LIMIT ${most} FOR UPDATE OF r`);
    let [isOpen, isChanged] = [false, false];
    for (const run of runs) {
      const blanked = await this.blankRun(run, memories);
      isOpen ||= run.is_open && (run.is_beginning || blanked.wasGiven);
      isChanged ||= blanked.isChanged;
    }
    return { isOpen, isHeld: false, isChanged, next: runs.length < most ? null : (runs.at(-1)?.run_id ?? null) };
  }

  private async blankRun(run: UsingRun, memories: readonly ForgottenMemory[]): Promise<{ wasGiven: boolean; isChanged: boolean }> {
    const { tenant_id } = requireScope();
    const tx = this.db.current();
    const calls = await tx.query<CallCopy>(sql`
      SELECT c.call_id, c.tool, c.input, c.output, c.shown, c.error, c.state NOT IN ('pending', 'running') AS is_over FROM run_tool_call c
      WHERE c.tenant_id = ${tenant_id} AND c.run_id = ${run.run_id}`);
    const steps = await tx.query<StepCopy>(
      sql`SELECT s.step, s.attempt, s.parts, s.correction FROM run_step s WHERE s.tenant_id = ${tenant_id} AND s.run_id = ${run.run_id}`,
    );
    const answer = run.run_message
      ? await tx.first<AnswerCopy>(
          sql`SELECT m.msg_text, m.msg_parts, m.msg_citations, m.msg_recalls FROM message m WHERE m.tenant_id = ${tenant_id} AND m.msg_id = ${run.run_message}`,
        )
      : undefined;
    const isOneOf = ({ source_kind, source_id }: JsonObject): boolean =>
      source_kind === 'memory' && memories.some(({ mem_id }) => mem_id === source_id);
    const texts = memories.flatMap((memory) => memory.texts);
    const emptied = emptiedCalls(calls, texts);
    const wasGiven = run.run_sources.some(isOneOf) || emptied.size > 0 || rests(answer, calls);
    const phrases = [...new Set(texts.flatMap(phrasesOf))].sort((a, b) => b.length - a.length);
    const blanking = new Blanking(phrases, wasGiven ? [...new Set(texts.flatMap(shortTextOf))] : []);

    const sources = run.run_sources.map((source) => (isOneOf(source) ? { ...source, text: '' } : source));
    const facts = {
      run_sources: sources,
      run_input: blanking.blankFacts(run.run_input),
      run_output: blanking.blankFacts(run.run_output),
      // What a provider said may repeat a memory in other words, and cut off.
      run_reason: wasGiven ? namesAlone(run.run_reason ?? '') : (blanking.blankText(run.run_reason)?.slice(0, LONGEST_REASON) ?? null),
    };
    let changes = await this.put(
      run,
      facts,
      ({ run_sources, run_input, run_output, run_reason }) => sql`
      UPDATE run SET run_sources = ${jsonOf(run_sources)}, run_input = ${jsonOf(run_input)}, run_output = ${jsonOf(run_output)}, run_reason = ${run_reason}
      WHERE tenant_id = ${tenant_id} AND run_id = ${run.run_id}`,
    );
    // Thoughts that go back to a provider may say a memory in words that nobody can read here.
    if (wasGiven)
      await tx.execute(
        sql`UPDATE run_step SET carried = NULL WHERE tenant_id = ${tenant_id} AND run_id = ${run.run_id} AND carried IS NOT NULL`,
      );
    for (const step of steps) {
      const blank = { parts: blanking.blankParts(step.parts, emptied), correction: blanking.blankText(step.correction) };
      changes += await this.put(
        step,
        blank,
        ({ parts, correction }) => sql`
        UPDATE run_step SET parts = ${jsonOf(parts)}, correction = ${correction}, carried = NULL
        WHERE tenant_id = ${tenant_id} AND run_id = ${run.run_id} AND step = ${step.step} AND attempt = ${step.attempt}`,
      );
    }
    for (const call of calls) {
      const isEmptied = emptied.has(call.call_id);
      const blank = {
        input: isEmptied ? {} : blanking.blankJson(call.input),
        output: isEmptied ? {} : blanking.blankJson(call.output),
        shown: blanking.blankJson(call.shown),
        error: blanking.blankText(call.error),
      };
      changes += await this.put(
        call,
        blank,
        ({ input, output, shown, error }) => sql`
        UPDATE run_tool_call SET input = ${jsonOf(input)}, output = ${jsonOf(output)}, shown = ${jsonOf(shown)}, error = ${error}
        WHERE tenant_id = ${tenant_id} AND run_id = ${run.run_id} AND call_id = ${call.call_id}`,
      );
    }
    if (answer) {
      const blank = {
        msg_text: blanking.blankText(answer.msg_text),
        msg_parts: blanking.blankParts(answer.msg_parts, emptied),
        msg_citations: answer.msg_citations.map((one) => blanking.blankFacts(isOneOf(one) ? { ...one, quote: '' } : one)),
      };
      changes += await this.put(
        answer,
        blank,
        ({ msg_text, msg_parts, msg_citations }) => sql`
        UPDATE message SET row_version = row_version + 1, msg_text = ${msg_text}, msg_parts = ${jsonOf(msg_parts)}, msg_citations = ${jsonOf(msg_citations)}
        WHERE tenant_id = ${tenant_id} AND msg_id = ${run.run_message}`,
      );
    }
    return { wasGiven, isChanged: changes > 0 };
  }

  /** Writes a row that would say something else; how many rows that were. */
  private put<T extends object>(row: Readonly<Record<string, unknown>>, blank: T, statement: (blank: T) => Sql): Promise<number> {
    const isSame = Object.entries(blank).every(([column, value]) => JSON.stringify(value) === JSON.stringify(row[column]));
    return isSame ? Promise.resolve(0) : this.db.current().execute(statement(blank));
  }
}

/** Ended calls that wrote one of the texts down or forgot it; those that were emptied before may stand in an answer that was written since. */
const emptiedCalls = (calls: readonly CallCopy[], texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    calls
      .filter(({ tool, input, is_over }) => is_over && CALLS.some((name) => name === tool) && isEmptied(tool, input, texts))
      .map(({ call_id }) => call_id),
  );

const isEmptied = (tool: string, input: JsonObject, texts: readonly string[]): boolean =>
  Object.keys(input).length === 0 || texts.some((text) => saysForgotten(text, tool, input));

/** Whether the answer of a run may say what memories say. */
const rests = (answer: AnswerCopy | undefined, calls: readonly CallCopy[]): boolean =>
  answer !== undefined &&
  (answer.msg_recalls ||
    answer.msg_citations.some(({ source_kind }) => source_kind === 'memory') ||
    calls.some(({ tool }) => CALLS.some((name) => name === tool)));

/** A value of a column, null where it has none. */
const jsonOf = (value: JsonValue | readonly JsonValue[]): Sql => sql`${value === null ? null : JSON.stringify(value)}::jsonb`;
