import { Injectable } from '@nestjs/common';
import { permissionDenied, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Ids, resolveReference, type JsonObject } from '@atrium/platform/kernel';
import { checkedParams } from '../../../agents/domain/agent-settings';
import { PromptTexts } from '../../../prompts/application/prompt-texts';
import type { ThreadAnswer } from '../../../threads/application/thread-answers';
import { ThreadsService } from '../../../threads/application/threads.service';
import { ThreadsRepository } from '../../../threads/infrastructure/threads.repository';
import { ThreadLocksRepository } from '../../records/infrastructure/thread-locks.repository';
import { AskingService, type AskedMessage, type AskOptions, type NewQuestion } from './asking.service';

/** A prompt that is asked in a thread. */
export interface PromptQuestion {
  readonly prompt_id: string;
  readonly values?: JsonObject;
}

/** What a prompt that is run answers. */
export type StartedPrompt = AskedMessage & { readonly thread: Omit<ThreadAnswer, 'row_version'> };

/** A prompt that the path of a request names, or its body. */
type NamedPrompt = PromptQuestion & { readonly isOfBody?: boolean };

type AskedWith = Omit<NewQuestion, 'msg_text' | 'msg_parts' | 'prompt'>;

/** An access list that names nobody leaves a prompt to those who hold this, also where no agent answers. */
const RUNS_PROMPTS = 'prompt:run';

/** Prompts that are run: their text is asked in a thread, with the files and bases that their values name. */
@Injectable()
export class PromptRuns {
  constructor(
    private readonly db: Database,
    private readonly prompts: PromptTexts,
    private readonly asking: AskingService,
    private readonly locks: ThreadLocksRepository,
    private readonly threads: ThreadsService,
    private readonly repository: ThreadsRepository,
    private readonly ids: Ids,
  ) {}

  /** In the thread, or in a new one of the caller that is made with the question. */
  async startPrompt(
    caller: Principal,
    thread_id: string | undefined,
    prompt: PromptQuestion,
    run_options: AskOptions,
  ): Promise<StartedPrompt> {
    const known = thread_id !== undefined && (await this.db.read(() => this.repository.findRow(thread_id))) !== null;
    const target = thread_id ?? this.ids.next();
    const started = async (asked: AskedMessage): Promise<StartedPrompt> => {
      const { row_version: _, ...thread } = await this.threads.get(caller, target);
      return { ...asked, thread };
    };
    if (known) return started(await this.asked(caller, target, prompt, { run_options }, started));
    if (!caller.permissions.has('thread:create')) throw permissionDenied(['thread:create']);
    const { wait, ...options } = run_options;
    const asked = await this.db.write(async () => {
      await this.threads.create(caller, { thread_id: target });
      return this.asked(caller, target, prompt, { run_options: options }, started);
    });
    return started(await this.asking.awaitAnswer(caller, asked, wait));
  }

  /** The text of the prompt as a message of the thread. */
  askPrompt(caller: Principal, thread_id: string, prompt: PromptQuestion, question: AskedWith = {}): Promise<AskedMessage> {
    return this.asked(caller, thread_id, { ...prompt, isOfBody: true }, question, (asked) => Promise.resolve(asked));
  }

  private async asked<T extends AskedMessage>(
    caller: Principal,
    thread_id: string,
    { prompt_id, values = {}, isOfBody = false }: NamedPrompt,
    question: AskedWith,
    complete: (asked: AskedMessage) => Promise<T>,
  ): Promise<T> {
    if (!caller.permissions.has(RUNS_PROMPTS)) throw permissionDenied([RUNS_PROMPTS]);
    const resolve = () => this.db.read(() => this.prompts.resolvePrompt(caller, prompt_id, values));
    const { prompt, text, files, knowledge } = await (isOfBody ? resolveReference('prompt.prompt_id', 'prompt', resolve) : resolve());
    const whole: NewQuestion = {
      ...question,
      msg_text: text,
      msg_files: [...new Set([...(question.msg_files ?? []), ...files])],
      prompt: {
        prompt_id,
        agent_id: prompt.prompt_agent,
        model_id: prompt.prompt_model,
        params: checkedParams('prompt_params', prompt.prompt_params),
        knowledge,
      },
      with: async () => {
        await this.prompts.countRun(prompt_id);
        await this.locks.promptRun(thread_id, prompt_id);
      },
    };
    return this.asking.askAndComplete(caller, thread_id, whole, complete);
  }
}
