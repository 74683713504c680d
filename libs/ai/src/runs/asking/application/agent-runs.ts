import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { asJson, invalidField, notFound, SECOND, type JsonObject } from '@atrium/platform/kernel';
import { AgentAccess } from '../../../agents/application/agent-access';
import { Attachments, MOST_ATTACHMENTS } from '../../../threads/application/attachments';
import { MessageReader } from '../../../threads/application/message-reader';
import type { MessageCitation } from '../../../threads/domain/message';
import { MOST_ASKED, type Turn } from '../../prompt/input-budget';
import { RunsRepository, type RunRow } from '../../records/infrastructure/runs.repository';
import { RunReasons } from '../../records/infrastructure/run-reasons';
import { RunPlanner } from './run-planner';
import { RunStarter } from './run-starter';
import { RunStops } from '../../records/application/run-stops';

/** A question to an agent without a thread. */
export interface AgentQuestion {
  readonly input?: string;
  readonly messages?: readonly Turn[];
  readonly files?: readonly string[];
  readonly schema?: JsonObject;
  /** Seconds to wait for the answer. */
  readonly wait?: number;
  /** Its events are to be followed. */
  readonly followed?: boolean;
}

const USUAL_WAIT = 30;

/** Runs without a thread, for clients and for other contexts: one question, one answer. */
@Injectable()
export class AgentRuns {
  constructor(
    private readonly db: Database,
    private readonly agents: AgentAccess,
    private readonly planner: RunPlanner,
    private readonly starter: RunStarter,
    private readonly stops: RunStops,
    private readonly runs: RunsRepository,
    private readonly attachments: Attachments,
    private readonly messages: MessageReader,
    private readonly reasons: RunReasons,
  ) {}

  /** The run, ended or not when the time to wait is over. */
  async askAgent(
    caller: Principal,
    agent_id: string,
    { input, messages, files = [], schema, wait = USUAL_WAIT, followed = false }: AgentQuestion,
  ): Promise<RunRow> {
    const turns = turnsOf(input, messages);
    if (files.length > MOST_ATTACHMENTS) throw invalidField('files', `must have at most ${MOST_ATTACHMENTS} items`, 'too_many');
    const run_id = this.starter.nextId();
    const run = await this.db.write(async () => {
      if (!(await this.agents.findUsable(caller, agent_id))) throw notFound('agent');
      await this.attachments.assertReadable(caller, files, (id) => `files[${files.findIndex((one) => one.toLowerCase() === id)}]`);
      const planned = await this.planner.planRun(caller, null, { agent_id, ...(schema ? { schema } : {}) }, '');
      await this.starter.startRun(caller, planned, {
        run_id,
        thread_id: null,
        msg_id: null,
        input: { messages: turns.map((turn) => ({ ...turn })), files: [...files], ...(followed ? { followed } : {}) },
        text: turns.map(({ text }) => text).join('\n'),
      });
      return this.runs.findRunRow(run_id);
    });
    if (!run) throw notFound('run');
    if (wait <= 0 || !(await this.stops.awaitEnd(run_id, wait * SECOND))) return run;
    return this.get(caller, agent_id, run_id);
  }

  /** A run of one's own. */
  get(caller: Principal, agent_id: string, run_id: string): Promise<RunRow & { readonly run_reason: string | null }> {
    return this.db.read(async () => {
      const run = await this.runs.findRunRow(run_id);
      if (!run || run.run_thread !== null || run.run_agent !== agent_id || run.run_user !== caller.user_id) throw notFound('run');
      return { ...run, run_reason: await this.reasons.readReason(caller, run), run_output: await this.outputFor(caller, run) };
    });
  }

  /** The answer as its asker may see it now: access to a source may have been lost since. */
  private async outputFor(caller: Principal, { run_output }: RunRow): Promise<JsonObject | null> {
    if (!Array.isArray(run_output?.citations)) return run_output;
    const [citations = []] = await this.messages.viewCitations(caller, [run_output.citations]);
    return { ...run_output, citations: citations.map(asJson) };
  }

  /** Citations of an answer that is being written, as its asker may see them now. */
  viewRunCitations(caller: Principal, list: readonly MessageCitation[]): Promise<readonly MessageCitation[]> {
    return this.db.read(async () => (await this.messages.viewCitations(caller, [list]))[0] ?? []);
  }
}

/** What an agent answered without a thread, as its asker receives it. */
export const agentAnswerOf = ({ run_id, run_output, run_usage }: Pick<RunRow, 'run_id' | 'run_output' | 'run_usage'>): JsonObject => ({
  output: run_output?.['output'] ?? '',
  data: run_output?.['data'] ?? null,
  citations: run_output?.['citations'] ?? [],
  usage: run_usage,
  run_id,
});

function turnsOf(input: string | undefined, messages: readonly Turn[] | undefined): readonly Turn[] {
  if ((input === undefined) === (messages === undefined)) throw invalidField('input', 'or messages is required, and not both', 'required');
  const turns = messages ?? [{ role: 'user' as const, text: input ?? '' }];
  if (turns.at(-1)?.role !== 'user') throw invalidField('messages', 'must end with a message of the role user', 'invalid');
  if (turns.reduce((sum, { text }) => sum + text.length, 0) > MOST_ASKED)
    throw invalidField('messages', `must have at most ${MOST_ASKED} characters together`, 'too_long');
  const empty = turns.findIndex(({ text }) => text.trim() === '');
  if (empty >= 0) throw invalidField(messages ? `messages[${empty}].text` : 'input', 'must not be empty', 'required');
  return turns;
}
