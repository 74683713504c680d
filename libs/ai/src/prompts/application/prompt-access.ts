import { Injectable } from '@nestjs/common';
import { demandAclLevel, type AclLevel, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import type { Prompt } from '../domain/prompt';
import { PromptsRepository } from '../infrastructure/prompts.repository';

/** What a caller may do with a prompt, by its access list; unreadable ones answer 404, readable but not enough 403. Within a unit of work. */
@Injectable()
export class PromptAccess {
  constructor(private readonly prompts: PromptsRepository) {}

  /** The active prompt. */
  async active(caller: Principal, prompt_id: string, level: AclLevel = 'view'): Promise<Prompt> {
    const prompt = await this.prompts.find(prompt_id);
    if (!prompt?.prompt_active) throw notFound(NOUN);
    demandAclLevel(prompt.prompt_acl, caller, level, NOUN);
    return prompt;
  }

  /** The prompt, inactive ones too, locked for a change. */
  lock(caller: Principal, prompt_id: string, level: AclLevel, precondition?: Precondition): Promise<Prompt> {
    return this.prompts.lock(prompt_id, precondition, ({ prompt_acl }) => demandAclLevel(prompt_acl, caller, level, NOUN));
  }
}

const NOUN = 'prompt';
