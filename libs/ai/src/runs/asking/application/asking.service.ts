import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { afterSeconds, asJson, invalidField, invalidState, Problem, SECOND, type JsonObject } from '@atrium/platform/kernel';
import { Attachments, MOST_ATTACHMENTS } from '../../../threads/application/attachments';
import { MessageReader, type MessageAnswer } from '../../../threads/application/message-reader';
import { MessageWriter } from '../../../threads/application/message-writer';
import { ThreadAccess } from '../../../threads/application/thread-access';
import type { Thread } from '../../../threads/domain/thread';
import { filesIn, textOf, type MessagePart } from '../../../threads/domain/message-parts';
import type { Message } from '../../../threads/domain/message';
import { MessagesRepository } from '../../../threads/infrastructure/messages.repository';
import { checkedParts, type PostedPart } from '../domain/posted-parts';
import { termsOf, type PromptTerms } from '../../records/domain/run-plan';
import { RunsRepository, type RunRow } from '../../records/infrastructure/runs.repository';
import { ThreadLocksRepository } from '../../records/infrastructure/thread-locks.repository';
import { RunPlanner, type PlannedRun, type RunWish } from './run-planner';
import { RunStarter } from './run-starter';
import { RunStops } from '../../records/application/run-stops';
import { RunNotifier } from '../../records/application/run-notifier';

/** What a message asks for besides its text. */
export interface AskOptions extends Omit<RunWish, 'prompt'> {
  readonly run?: boolean;
  readonly on_busy?: 'reject' | 'interrupt';
  /** Seconds to wait for the answer. */
  readonly wait?: number;
}

/** A message that somebody writes. */
export interface NewQuestion {
  readonly msg_text?: string;
  readonly msg_parts?: readonly PostedPart[];
  readonly msg_files?: readonly string[];
  readonly msg_parent?: string | null;
  readonly msg_metadata?: JsonObject;
  readonly run_options?: AskOptions;
  /** What the prompt that made the text brings to its answers. */
  readonly prompt?: PromptTerms;
  /** Runs in the unit of work that writes the message. */
  readonly with?: () => Promise<void>;
}

/** A question that was written, and how far its answer is. */
export interface AskedMessage {
  readonly user_message: MessageAnswer | null;
  readonly assistant_message: MessageAnswer | null;
  readonly run: RunRow | null;
}

/** After which somebody who found the thread busy asks again. */
const BUSY_SECONDS = 2;
const MOST_WAIT = 60;
/** Of questions that interrupt each other one gets through each time: so many at once are all asked. */
const MOST_INTERRUPTIONS = 30;

/** Questions of people in threads, and the runs that answer them: message, run, credits, lock and job are one unit of work. */
@Injectable()
export class AskingService {
  constructor(
    private readonly db: Database,
    private readonly threads: ThreadAccess,
    private readonly writer: MessageWriter,
    private readonly messages: MessageReader,
    private readonly questions: MessagesRepository,
    private readonly attachments: Attachments,
    private readonly planner: RunPlanner,
    private readonly starter: RunStarter,
    private readonly stops: RunStops,
    private readonly runs: RunsRepository,
    private readonly locks: ThreadLocksRepository,
    private readonly notifier: RunNotifier,
  ) {}

  askQuestion(caller: Principal, thread_id: string, question: NewQuestion): Promise<AskedMessage> {
    return this.askAndComplete(caller, thread_id, question, (asked) => Promise.resolve(asked));
  }

  /** Asks, and completes the answer within the same unit of work: what it returns there is kept for the request's key. */
  async askAndComplete<T extends AskedMessage>(
    caller: Principal,
    thread_id: string,
    question: NewQuestion,
    complete: (asked: AskedMessage) => Promise<T>,
  ): Promise<T> {
    const parts = partsOf(question);
    const files = checkedFiles([...(question.msg_files ?? []), ...filesIn(parts)]);
    const { run_options: options = {} } = question;
    return this.unlessBusy(options, () =>
      this.db.write(async () => {
        const thread = await this.threads.lockThread(caller, thread_id, 'edit');
        thread.assertOpen();
        await this.attachments.assertReadable(caller, files, (id) => pathOfFile(id, question, parts));
        const planned = options.run === false ? null : await this.planner.planRun(caller, thread, { ...options, ...promptIn(question) });
        const asked = await this.writer.writeMessage(thread, {
          role: 'user',
          parts,
          files,
          user: caller.user_id,
          ...(question.msg_parent === undefined ? {} : { parent: question.msg_parent }),
          ...(question.prompt ? { prompt: question.prompt.prompt_id, prompt_terms: asJson(question.prompt) } : {}),
          ...(question.msg_metadata ? { metadata: question.msg_metadata } : {}),
        });
        await question.with?.();
        if (planned) return complete(await this.answerTo(caller, thread, asked, { planned, isNew: true, options }));
        await this.notifier.emitEvent(thread_id, {
          kind: 'user_message',
          data: { op: 'created', message: await this.notifier.viewMessage(thread_id, asked.msg_id) },
        });
        return complete({ user_message: await this.view(caller, asked), assistant_message: null, run: null });
      }),
    ).then((asked) => this.awaitAnswer(caller, asked, options.wait));
  }

  /** Another answer: beside an answer, or below a question. */
  async regenerateAnswer(caller: Principal, thread_id: string, msg_id: string, options: AskOptions): Promise<AskedMessage> {
    return this.unlessBusy(options, () =>
      this.db.write(async () => {
        const thread = await this.threads.lockThread(caller, thread_id, 'edit');
        thread.assertOpen();
        const row = await this.messages.requireMessage(thread_id, msg_id);
        const asked =
          row.msg_role === 'assistant' && row.msg_parent !== null ? await this.messages.requireMessage(thread_id, row.msg_parent) : row;
        if (asked.msg_role !== 'user') throw invalidState('Only an answer or a question can be answered again.');
        const terms = await this.questions.findPromptTerms(asked.msg_id);
        const planned = await this.planner.planRun(caller, thread, {
          ...options,
          ...(terms ? { prompt: { ...termsOf(terms), prompt_id: asked.msg_prompt } } : {}),
        });
        return this.answerTo(caller, thread, asked, { planned, isNew: false, options });
      }),
    ).then((asked) => this.awaitAnswer(caller, asked, options.wait));
  }

  private async answerTo(
    caller: Principal,
    thread: Thread,
    asked: Pick<Message, 'msg_id' | 'msg_text'>,
    { planned, isNew, options }: { readonly planned: PlannedRun; readonly isNew: boolean; readonly options: AskOptions },
  ): Promise<AskedMessage> {
    if (thread.isBusy && options.on_busy !== 'interrupt') throw busy(thread.thread_run);
    const { thread_id } = thread;
    const run_id = this.starter.nextId();
    const reply = await this.writer.writeMessage(thread, {
      role: 'assistant',
      status: 'queued',
      parts: [],
      parent: asked.msg_id,
      user: caller.user_id,
      agent: planned.agent.agent_id,
      model: planned.model_id,
      run: run_id,
      ...(planned.plan.prompt_id ? { prompt: planned.plan.prompt_id } : {}),
    });
    const run = await this.starter.startRun(caller, planned, {
      run_id,
      thread_id,
      msg_id: reply.msg_id,
      input: null,
      text: asked.msg_text,
    });
    // The last of all that can refuse the question: what answers there is interrupted for a question that will be answered.
    const lock = await this.locks.acquireThread(thread_id, run_id, caller.user_id);
    if (!lock) throw busy(thread.thread_run);
    const [user_message, assistant_message] = await this.messages.viewPair(caller, thread_id, asked.msg_id, reply.msg_id);
    await this.notifier.announceStart(lock, run, isNew ? user_message : null);
    return { user_message, assistant_message, run: (await this.runs.findRunRow(run_id)) ?? null };
  }

  /** `interrupt`: what answers there is stopped first, and then it is asked once more. */
  private async unlessBusy<T extends AskedMessage>(options: AskOptions, work: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Busy) || options.on_busy !== 'interrupt' || error.run_id === null || attempt >= MOST_INTERRUPTIONS)
          throw error;
        await this.stops.endRun(error.run_id);
      }
    }
  }

  /** The same once its answer is there, or the time to wait is over. */
  async awaitAnswer<T extends AskedMessage>(caller: Principal, asked: T, wait = 0): Promise<T> {
    const { run, assistant_message: reply } = asked;
    if (!run || !reply || wait <= 0 || !(await this.stops.awaitEnd(run.run_id, Math.min(wait, MOST_WAIT) * SECOND))) return asked;
    return this.db.read(async () => ({
      ...asked,
      assistant_message: await this.view(caller, reply),
      run: (await this.runs.findRunRow(run.run_id)) ?? run,
    }));
  }

  private async view(caller: Principal, { msg_thread, msg_id }: Pick<Message, 'msg_thread' | 'msg_id'>): Promise<MessageAnswer> {
    const { row_version: _, ...answer } = await this.messages.viewMessage(caller, await this.messages.requireMessage(msg_thread, msg_id));
    return answer;
  }
}

/** Another run answers in the thread. */
class Busy extends Problem {
  constructor(readonly run_id: string | null) {
    super(
      'invalid_state',
      `The thread is being answered by the run ${run_id ?? 'of somebody else'}. Wait for it, stop it, or send on_busy: interrupt.`,
      afterSeconds(BUSY_SECONDS),
    );
  }
}

const busy = (run_id: string | null): Problem => new Busy(run_id);

const promptIn = ({ prompt }: NewQuestion): { readonly prompt?: PromptTerms } => (prompt ? { prompt } : {});

/** The parts that somebody means; a message says something, or brings a file. */
function partsOf({ msg_text, msg_parts, msg_files = [] }: NewQuestion): readonly MessagePart[] {
  if (msg_text !== undefined && msg_parts !== undefined)
    throw invalidField('msg_parts', 'takes the place of msg_text: send one of them', 'one_of');
  const parts: MessagePart[] = msg_parts ? checkedParts(msg_parts) : msg_text === undefined ? [] : [{ kind: 'text', text: msg_text }];
  if (textOf(parts).trim() === '' && msg_files.length + filesIn(parts).length === 0)
    throw invalidField(msg_parts ? 'msg_parts' : 'msg_text', 'must not be empty without an attachment', 'required');
  return parts;
}

function pathOfFile(id: string, { msg_files = [] }: NewQuestion, parts: readonly MessagePart[]): string {
  const at = msg_files.findIndex((one) => one.toLowerCase() === id);
  if (at >= 0) return `msg_files[${at}]`;
  return `msg_parts[${parts.findIndex((part) => part.kind === 'file' && part.file_id.toLowerCase() === id)}].file_id`;
}

function checkedFiles(files: readonly string[]): readonly string[] {
  const ids = [...new Set(files.map((id) => id.toLowerCase()))];
  if (ids.length > MOST_ATTACHMENTS) throw invalidField('msg_files', `must have at most ${MOST_ATTACHMENTS} items`, 'too_many');
  return ids;
}
