import { Injectable } from '@nestjs/common';
import { KnownMembers } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock } from '@atrium/platform/kernel';
import { filledInstructions } from '../../agents/domain/instructions';
import { Memories } from '../../memories/application/memories';
import { MessageReader } from '../../threads/application/message-reader';
import { SubjectReaders, type SubjectText } from '../../threads/application/subject-readers';
import { isWithheldFrom, restsOnMemories, WITHHELD, type WithheldFacts } from '../../threads/domain/memory-answer';
import type { Thread } from '../../threads/domain/thread';
import { ThreadsRepository } from '../../threads/infrastructure/threads.repository';
import type { MessagePart, NoticePart } from '../../threads/domain/message-parts';
import { bytesOf, inputBudget, type Turn } from './input-budget';
import type { RunPlan } from '../records/domain/run-plan';
import type { Run } from '../records/domain/run';
import type { FoundSource } from '../records/domain/run-source';
import { TAINTS, taintOfConversation } from './taint';
import { RunPlaceRows } from '../records/infrastructure/run-places.rows';
import { RunsRepository } from '../records/infrastructure/runs.repository';
import { ThreadLocksRepository } from '../records/infrastructure/thread-locks.repository';
import { RunAttachments } from './run-attachments';
import type { InputPicture, InputText, InputTurn } from './run-input';

/** What a run knows of its thread and its asker before it searches. */
export interface RunContext {
  readonly plan: RunPlan;
  readonly thread: Thread | null;
  readonly instructions: string;
  readonly space: string | null;
  readonly question: string;
  readonly pictures: readonly InputPicture[];
  readonly history: readonly InputTurn[];
  readonly texts: readonly InputText[];
  readonly notices: readonly NoticePart[];
  readonly memory: boolean;
  /** Whether what memories say is among it: this answer was given some before, or the history holds an answer that rests on some. */
  readonly recalls: boolean;
  /** Why text that the asker did not write is among it; null while there is none. */
  readonly taint: string | null;
  /** What the asker said, in this question and before. */
  readonly said: readonly string[];
}

/** A message with the ids of its files. */
interface SaidTurn extends Turn {
  readonly files: readonly string[];
}

/** What was said, and by whom a model could be misled with it. */
interface Conversation extends Pick<RunContext, 'taint' | 'said' | 'recalls'> {
  readonly question: SaidTurn;
  readonly history: readonly SaidTurn[];
}

/** What rows say that an answer rests on. */
interface StoredContext extends Conversation {
  readonly thread: Thread | null;
  readonly space: { readonly name: string; readonly instructions: string | null } | null;
  readonly user_name: string | null;
  readonly workspace_name: string | null;
}

interface FoundMemories extends Pick<RunContext, 'taint'> {
  readonly sources: readonly FoundSource[];
}

const MOST_OF_SUBJECT = 32_000;

/** Gathers what an answer rests on besides what is searched for: with the rights that the asker has at this moment. */
@Injectable()
export class RunMaterials {
  constructor(
    private readonly db: Database,
    private readonly messages: MessageReader,
    private readonly threads: ThreadsRepository,
    private readonly locks: ThreadLocksRepository,
    private readonly runs: RunsRepository,
    private readonly places: RunPlaceRows,
    private readonly subjects: SubjectReaders,
    private readonly memories: Memories,
    private readonly attachments: RunAttachments,
    private readonly members: KnownMembers,
    private readonly clock: Clock,
  ) {}

  /** What rows say of it. */
  readRows(run: Run, actor: Principal): Promise<StoredContext> {
    return this.db.read(async () => {
      const thread = run.run_thread ? await this.threads.findRow(run.run_thread) : null;
      const conversation = await this.conversation(run, thread, bytesTaken(run.run_options));
      const space_id = thread?.spaceFor(actor) ?? null;
      const space = space_id === null ? null : await this.places.findSpaceInstructions(space_id);
      const user_name = await this.members.nameOf(actor.user_id);
      return { thread, ...conversation, space, user_name, workspace_name: await this.places.findWorkspaceName() };
    });
  }

  /** All of it: with what files and the subject say. Outside of any unit of work. */
  async readMaterials(run: Run, actor: Principal, known: StoredContext, signal: AbortSignal): Promise<RunContext> {
    const plan = run.run_options;
    const { question, history } = known;
    const earlier = history.flatMap((turn) => turn.files).reverse();
    const attached = await this.attachments.readAttachments(actor, [...question.files, ...earlier], plan.vision === true, signal);
    const picturesOf = (ids: readonly string[]): InputPicture[] => ids.flatMap((id) => attached.pictures.get(id) ?? []);
    const subject = known.thread?.thread_ref ? await this.findSubject(known.thread, actor) : null;
    const missing: NoticePart[] =
      known.thread?.thread_ref && !subject
        ? [{ kind: 'notice', code: 'subject_unavailable', detail: 'The subject of the conversation cannot be read.' }]
        : [];
    const date = this.clock.now().toISOString().slice(0, 10);
    return {
      plan,
      thread: known.thread,
      instructions: filledInstructions(plan.instructions ?? '', {
        date,
        user_name: known.user_name,
        workspace_name: known.workspace_name,
        space_name: known.space?.name ?? null,
      }),
      space: known.space?.instructions ?? null,
      question: question.text,
      pictures: picturesOf(question.files),
      history: history
        .map(({ role, text, files: ids }): InputTurn => ({ role, text, pictures: picturesOf(ids) }))
        .filter(({ text, pictures = [] }) => text.trim() !== '' || pictures.length > 0),
      texts: [...(subject ? [{ kind: 'subject' as const, id: known.thread?.thread_ref?.id ?? '', ...subject }] : []), ...attached.texts],
      notices: [...missing, ...attached.notices],
      memory: usesMemories(run, known.thread),
      recalls: known.recalls,
      taint: known.taint ?? (known.thread?.thread_ref ? TAINTS.subject : null),
      said: known.said,
    };
  }

  /** Whether the run may use memories of its asker, as the thread is at this moment. */
  mayUseMemories(run: Run): Promise<boolean> {
    return this.db.read(async () => usesMemories(run, run.run_thread ? await this.threads.findRow(run.run_thread) : null));
  }

  /** The memories of the asker that fit the question, as sources. */
  async findMemories(user: string, question: string): Promise<FoundMemories> {
    const found = await this.memories.listMemoriesForRun(user, question);
    const sources = found.map(({ mem_id, mem_value }) => ({
      source_kind: 'memory' as const,
      source_id: mem_id,
      passage_id: null,
      version_id: null,
      title: 'Memory',
      url: null,
      page_from: null,
      page_to: null,
      char_start: 0,
      char_end: mem_value.length,
      version: null,
      updated: null,
      score: 0,
      text: mem_value,
    }));
    return { sources, taint: found.some(({ mem_tainted }) => mem_tainted) ? TAINTS.memory : null };
  }

  /** The subject of the thread as it is now; kept with the thread. */
  async findSubject({ thread_id, thread_ref }: Thread, actor: Principal): Promise<SubjectText | null> {
    if (!thread_ref) return null;
    const subject = await this.subjects.readText(actor, thread_ref);
    const text = subject?.text.slice(0, MOST_OF_SUBJECT) ?? null;
    await this.db.write(() => this.locks.saveContext(thread_id, text));
    return subject && { name: subject.name, text: text ?? '' };
  }

  private async conversation(run: Run, thread: Thread | null, bytes: number): Promise<Conversation> {
    if (!run.run_thread || !run.run_message) {
      const { messages = [], files = [] } = (run.run_input ?? {}) as {
        readonly messages?: readonly Turn[];
        readonly files?: readonly string[];
      };
      const question = { role: 'user' as const, text: messages.at(-1)?.text ?? '', files };
      const history = messages.slice(0, -1).map((turn) => ({ ...turn, files: [] }));
      const said = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
      return { question, history, said, taint: files.length > 0 ? TAINTS.files : null, recalls: false };
    }
    const answer = await this.messages.requireMessage(run.run_thread, run.run_message);
    const branch = await this.messages.readBranch(run.run_thread, answer.msg_parent, bytes);
    const read = branch.filter(({ msg_visibility }, at) => msg_visibility !== 'staff' || at === branch.length - 1);
    const taints = await this.runs.findTaints(read.flatMap(({ msg_run }) => msg_run ?? []));
    const turns = read.map((message): SaidTurn => {
      const { msg_role, msg_text, msg_parts, msg_files } = message;
      const role = msg_role === 'user' ? 'user' : 'assistant';
      if (isUnsaid(run, thread, message)) return { role, text: WITHHELD.detail, files: [] };
      return { role, text: msg_text.trim() === '' ? dataIn(msg_parts) : msg_text, files: msg_files };
    });
    return {
      question: turns.at(-1) ?? { role: 'user', text: '', files: [] },
      history: turns.slice(0, -1),
      taint: taintOfConversation(run.run_user, read, taints),
      recalls: answer.msg_recalls || read.some((message) => restsOnMemories(message) && !isUnsaid(run, thread, message)),
      said: read.filter(({ msg_role, msg_user }) => msg_role === 'user' && msg_user === run.run_user).map(({ msg_text }) => msg_text),
    };
  }
}

/** What of a conversation could be put into the input at all. */
const bytesTaken = ({ context, max_output }: RunPlan): number => bytesOf(inputBudget(context, max_output));

/** An answer that rests on memories is repeated to the one who asked for it alone, and where nobody else reads what is said. */
const isUnsaid = ({ run_user }: Run, thread: Thread | null, message: WithheldFacts): boolean =>
  run_user === null || isWithheldFrom(run_user, message) || (restsOnMemories(message) && !thread?.isReadByNobodyBut(run_user));

/** One-shot runs use none: the caller may be a program that passes the answer on. */
const usesMemories = ({ run_user, run_options }: Run, thread: Thread | null): boolean =>
  run_user !== null && run_options.memory && (thread?.usesMemoriesOf(run_user) ?? false);

/** A structured answer in words: its JSON. */
const dataIn = (parts: readonly MessagePart[]): string =>
  parts.flatMap((part) => (part.kind === 'data' ? [JSON.stringify(part.value)] : [])).join('\n');
