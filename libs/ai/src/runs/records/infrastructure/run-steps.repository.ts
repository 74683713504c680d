import { Injectable } from '@nestjs/common';
import { Database, requireScope, sql } from '@atrium/platform/database';
import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { Carried, TokenUsage } from '@atrium/models';
import type { MessagePart, ToolState } from '../../../threads/domain/message-parts';

/** A step that was done, or ended before the model did. */
export interface StepRow {
  readonly step: number;
  readonly attempt: number;
  readonly model: string;
  readonly input_tokens: number;
  readonly cached_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly estimated: boolean;
  readonly parts: readonly MessagePart[];
  readonly state: 'done' | 'stopped';
  readonly charges: readonly string[];
  /** How the model ended it; null where it did not. */
  readonly finish: 'stop' | 'length' | 'filter' | null;
  /** What the model is asked to correct of it, which makes it no part of the answer. */
  readonly correction: string | null;
  readonly created: Date;
}

/** A step that is done, as the steps after it need it. */
export type FinishedStep = Pick<StepRow, 'step' | 'parts' | 'finish' | 'correction'> & {
  /** What goes back to its provider with it. */
  readonly carried?: Carried | null;
};

/** A call of a tool, with what the model is shown of it. */
export interface ToolCallRow {
  readonly call_id: string;
  readonly step: number;
  readonly position: number;
  readonly tool: string;
  readonly input: JsonObject;
  readonly output: JsonValue;
  readonly shown: JsonValue;
  readonly error: string | null;
  readonly state: ToolState;
  readonly waits_for: 'approval' | 'client' | null;
  readonly approved: boolean | null;
  readonly idempotent: boolean;
  /** The input was none that the tool takes. */
  readonly invalid: boolean;
  readonly attempt: number;
  readonly started: Date | null;
  readonly finished: Date | null;
}

/** The attempt that is to have a run. */
interface RunHold {
  readonly run_id: string;
  readonly attempt: number;
}

/** Why a call did not run to which nobody consented. */
export const DENIED = 'it was not approved';

const STEP = sql`s.step, s.attempt, s.model, s.input_tokens, s.cached_tokens, s.output_tokens, s.reasoning_tokens, s.estimated, s.parts, s.state, s.charges, s.finish, s.correction, s.created`;
const CALL = sql`c.call_id, c.step, c.position, c.tool, c.input, c.output, c.shown, c.error, c.state, c.waits_for, c.approved, c.idempotent, c.invalid, c.attempt, c.started, c.finished`;

/** What the steps of runs said and which tools they called. */
@Injectable()
export class RunStepsRepository {
  constructor(private readonly db: Database) {}

  /** The steps in their order. */
  listSteps(run_id: string): Promise<StepRow[]> {
    return this.db
      .current()
      .query<StepRow & Record<string, unknown>>(
        sql`SELECT ${STEP} FROM run_step s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.run_id = ${run_id} ORDER BY s.step, s.attempt`,
      );
  }

  /** What goes back to the providers of steps, by their numbers. It is for them alone, and no part of what is shown of a step. */
  async findCarried(run_id: string): Promise<ReadonlyMap<number, Carried>> {
    const rows = await this.db
      .current()
      .query<{ step: number; carried: Carried }>(
        sql`SELECT s.step, s.carried FROM run_step s WHERE s.tenant_id = ${requireScope().tenant_id} AND s.run_id = ${run_id} AND s.state = 'done' AND s.carried IS NOT NULL`,
      );
    return new Map(rows.map(({ step, carried }) => [step, carried]));
  }

  /** The calls in the order in which they were asked for. */
  listCalls(run_id: string): Promise<ToolCallRow[]> {
    return this.db
      .current()
      .query<ToolCallRow & Record<string, unknown>>(
        sql`SELECT ${CALL} FROM run_tool_call c WHERE c.tenant_id = ${requireScope().tenant_id} AND c.run_id = ${run_id} ORDER BY c.step, c.position`,
      );
  }

  async addStep(
    run_id: string,
    {
      step,
      attempt,
      model,
      parts,
      state,
      charges,
      finish,
      correction,
      usage,
      carried = null,
    }: Pick<StepRow, 'step' | 'attempt' | 'model' | 'parts' | 'state' | 'charges' | 'finish' | 'correction'> & {
      readonly usage: TokenUsage;
      readonly carried?: Carried | null | undefined;
    },
  ): Promise<void> {
    await this.db.current().execute(sql`
      INSERT INTO run_step (tenant_id, run_id, step, attempt, model, input_tokens, cached_tokens, output_tokens, reasoning_tokens, estimated, parts, state, charges, finish, correction, carried)
      VALUES (${requireScope().tenant_id}, ${run_id}, ${step}, ${attempt}, ${model}, ${usage.input_tokens}, ${usage.cached_tokens}, ${usage.output_tokens},
              ${usage.reasoning_tokens}, ${usage.estimated}, ${JSON.stringify(parts)}::jsonb, ${state}, ${[...charges]}::uuid[], ${finish}, ${correction},
              ${carried && JSON.stringify(carried)}::jsonb)`);
  }

  async addCalls(
    run_id: string,
    step: number,
    calls: readonly Pick<
      ToolCallRow,
      'call_id' | 'tool' | 'input' | 'state' | 'error' | 'waits_for' | 'idempotent' | 'invalid' | 'attempt'
    >[],
  ): Promise<void> {
    if (calls.length === 0) return;
    const rows = calls.map((call, position) => ({ ...call, step, position }));
    await this.db.current().execute(sql`
      INSERT INTO run_tool_call (tenant_id, run_id, call_id, step, position, tool, input, state, error, waits_for, idempotent, invalid, attempt)
      SELECT ${requireScope().tenant_id}, ${run_id}, c.call_id, c.step, c.position, c.tool, c.input, c.state, c.error, c.waits_for, c.idempotent, c.invalid, c.attempt
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS c (call_id text, step integer, position integer, tool text, input jsonb, state text, error text, waits_for text, idempotent boolean, invalid boolean, attempt integer)`);
  }

  /** A call begins, for the attempt that has the run; false where another has it. The run stays as it is until that is committed. */
  async beginCall({ run_id, attempt }: RunHold, call_id: string): Promise<boolean> {
    const { tenant_id } = requireScope();
    const begun = await this.db.query(
      sql`
      WITH held AS (
        SELECT r.run_id FROM run r WHERE r.tenant_id = ${tenant_id} AND r.run_id = ${run_id} AND r.run_attempt = ${attempt} AND r.run_status = 'running' FOR NO KEY UPDATE
      )
      UPDATE run_tool_call c SET state = 'running', attempt = ${attempt}, started = now()
      FROM held WHERE c.tenant_id = ${tenant_id} AND c.run_id = held.run_id AND c.call_id = ${call_id} RETURNING c.call_id`,
      'write',
    );
    return begun.length > 0;
  }

  /** The same for its end, with what it brought to the run. */
  async endCall(
    { run_id, attempt }: RunHold,
    { call_id, state, output, shown, error }: Pick<ToolCallRow, 'call_id' | 'state' | 'output' | 'shown' | 'error'>,
    { sources, taint }: { readonly sources: readonly object[]; readonly taint: string | null },
  ): Promise<boolean> {
    const { tenant_id } = requireScope();
    const ended = await this.db.query(
      sql`
      WITH held AS (
        UPDATE run r SET run_sources = ${JSON.stringify(sources)}::jsonb, run_tainted = coalesce(r.run_tainted, ${taint}), row_version = r.row_version + 1
        WHERE r.tenant_id = ${tenant_id} AND r.run_id = ${run_id} AND r.run_attempt = ${attempt} AND r.run_status = 'running' RETURNING r.run_id
      )
      UPDATE run_tool_call c SET state = ${state}, output = ${json(output)}::jsonb, shown = ${json(shown)}::jsonb, error = ${error}, waits_for = NULL, finished = now()
      FROM held WHERE c.tenant_id = ${tenant_id} AND c.run_id = held.run_id AND c.call_id = ${call_id} RETURNING c.call_id`,
      'write',
    );
    return ended.length > 0;
  }

  async settleCall(
    run_id: string,
    { call_id, state, output, shown, error }: Pick<ToolCallRow, 'call_id' | 'state' | 'output' | 'shown' | 'error'>,
  ): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE run_tool_call c SET state = ${state}, output = ${json(output)}::jsonb, shown = ${json(shown)}::jsonb, error = ${error}, waits_for = NULL, finished = now()
      WHERE c.tenant_id = ${requireScope().tenant_id} AND c.run_id = ${run_id} AND c.call_id = ${call_id}`);
  }

  /** Somebody consents to a call, or does not. */
  async decideCall(
    run_id: string,
    call_id: string,
    { approved, by, waits_for }: { readonly approved: boolean; readonly by: string; readonly waits_for: ToolCallRow['waits_for'] },
  ): Promise<void> {
    await this.db.current().execute(sql`
      UPDATE run_tool_call c SET approved = ${approved}, decided_by = ${by}::uuid, waits_for = ${waits_for}, state = ${approved ? 'pending' : 'denied'}, error = ${approved ? null : DENIED},
        finished = CASE WHEN ${approved} THEN NULL ELSE now() END
      WHERE c.tenant_id = ${requireScope().tenant_id} AND c.run_id = ${run_id} AND c.call_id = ${call_id}`);
  }

  /** Calls that are still open end with their run, and no provider is given anything back any more. */
  async closeCalls(run_id: string): Promise<void> {
    await this.db.current().execute(sql`
      WITH forgotten AS (
        UPDATE run_step s SET carried = NULL WHERE s.tenant_id = ${requireScope().tenant_id} AND s.run_id = ${run_id} AND s.carried IS NOT NULL
      )
      UPDATE run_tool_call c SET state = 'denied', waits_for = NULL, finished = now()
      WHERE c.tenant_id = ${requireScope().tenant_id} AND c.run_id = ${run_id} AND c.state IN ('pending', 'running')`);
  }
}

const json = (value: JsonValue): string | null => (value === null ? null : JSON.stringify(value));
