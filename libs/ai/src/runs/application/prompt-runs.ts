import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import type { JsonObject } from '@atrium/platform/kernel';
import { PromptTexts } from '../../prompts/application/prompt-texts';
import { ThreadLocksRepository } from '../infrastructure/thread-locks.repository';
import { AskingService, type AskedMessage, type AskOptions, type NewQuestion } from './asking.service';

/** A prompt that is asked in a thread. */
export interface PromptQuestion {
  readonly prompt_id: string;
  readonly values?: JsonObject;
}

/** Prompts that are run: their text is asked in a thread, with the files and bases that their values name. */
@Injectable()
export class PromptRuns {
  constructor(
    private readonly db: Database,
    private readonly prompts: PromptTexts,
    private readonly asking: AskingService,
    private readonly locks: ThreadLocksRepository,
  ) {}

  async ask(caller: Principal, thread_id: string, { prompt_id, values = {} }: PromptQuestion, question: Omit<NewQuestion, 'msg_text' | 'msg_parts' | 'prompt'> = {}): Promise<AskedMessage> {
    const { prompt, text, files, knowledge } = await this.db.read(() => this.prompts.resolve(caller, prompt_id, values));
    const agent: AskOptions = prompt.prompt_agent ? { agent_id: prompt.prompt_agent } : {};
    return this.asking.ask(caller, thread_id, {
      ...question,
      msg_text: text,
      msg_files: [...new Set([...(question.msg_files ?? []), ...files])],
      run_options: { ...agent, ...question.run_options },
      prompt: { prompt_id, knowledge },
      with: async () => {
        await this.prompts.countRun(prompt_id);
        await this.locks.promptRun(thread_id, prompt_id);
      },
    });
  }
}
