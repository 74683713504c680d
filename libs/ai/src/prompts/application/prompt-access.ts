import { Injectable } from '@nestjs/common';
import { assertAclChange, assertAclLevel, type AclLevel, type Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { saysOnly } from '../../shared/acl-changes';
import type { Prompt, PromptFacts } from '../domain/prompt';
import { PromptsRepository } from '../infrastructure/prompts.repository';

/** What a caller may do with a prompt, by its access list; unreadable ones answer 404, readable but not enough 403. Within a unit of work. */
@Injectable()
export class PromptAccess {
  constructor(private readonly prompts: PromptsRepository) {}

  /** The active prompt. */
  async requireActive(caller: Principal, prompt_id: string, level: AclLevel = 'view'): Promise<Prompt> {
    const prompt = await this.prompts.findRow(prompt_id);
    if (!prompt?.prompt_active) throw notFound(NOUN);
    assertAclLevel(prompt.prompt_acl, caller, level, NOUN);
    return prompt;
  }

  /** For a change that the caller may make: of the access list alone by those who may share it, of anything else with edit access. */
  lockToChange(caller: Principal, prompt_id: string, change: PromptFacts, precondition?: Precondition): Promise<Prompt> {
    const level = saysOnly('prompt_acl', change) ? 'view' : 'edit';
    return this.prompts.lockToChange(prompt_id, change, precondition, ({ prompt_acl }) => {
      assertAclLevel(prompt_acl, caller, level, NOUN);
      if (change.prompt_acl !== undefined) assertAclChange(prompt_acl, caller, NOUN);
    });
  }

  lockToDelete(caller: Principal, prompt_id: string, precondition?: Precondition): Promise<Prompt | null> {
    return this.prompts.lockToDelete(prompt_id, precondition, ({ prompt_acl }) => assertAclLevel(prompt_acl, caller, 'edit', NOUN));
  }
}

const NOUN = 'prompt';
