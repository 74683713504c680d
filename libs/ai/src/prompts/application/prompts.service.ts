import { Injectable } from '@nestjs/common';
import { AclSubjects } from '@atrium/identity';
import { assertAclLevel, type Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, invalidFields, notFound, type FieldFault } from '@atrium/platform/kernel';
import { AgentAccess } from '../../agents/application/agent-access';
import { KnownReferences, plainIds } from '../../agents/application/known-references';
import { checkedParams } from '../../agents/domain/agent-settings';
import { MOST_SUBJECTS } from '../../shared/acl-changes';
import { assertMayDelete } from '../../shared/deleting-changes';
import { Prompt, promptNameTaken, type PromptFacts } from '../domain/prompt';
import { PromptCategoriesRepository } from '../infrastructure/prompt-categories.repository';
import { PromptsRepository, type PromptFilters, type PromptRow } from '../infrastructure/prompts.repository';
import { PromptAccess } from './prompt-access';

/** Prompts as those see them who write and choose them. Each change writes a revision. */
@Injectable()
export class PromptsService {
  constructor(
    private readonly db: Database,
    private readonly prompts: PromptsRepository,
    private readonly categories: PromptCategoriesRepository,
    private readonly access: PromptAccess,
    private readonly agents: AgentAccess,
    private readonly references: KnownReferences,
    private readonly subjects: AclSubjects,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, query: PromptFilters): Promise<Page<PromptRow>> {
    return this.db.read(() => this.prompts.listPrompts(caller, query));
  }

  get(caller: Principal, prompt_id: string): Promise<PromptRow> {
    return this.db.read(async () => {
      const row = await this.answer(prompt_id);
      assertAclLevel(row.prompt_acl, caller, 'view', 'prompt');
      return row;
    });
  }

  create(caller: Principal, facts: PromptFacts & { readonly prompt_name: string; readonly prompt_text: string }): Promise<PromptRow> {
    return this.named(() =>
      this.db.write(async () => {
        const prompt = Prompt.blank({ prompt_id: this.ids.next(), prompt_user: caller.user_id }, this.clock);
        await this.describe(caller, prompt, facts);
        await this.prompts.insert(prompt);
        await this.prompts.saveReferences(prompt);
        await this.prompts.saveRevision(prompt, caller.user_id);
        return this.answer(prompt.prompt_id);
      }),
    );
  }

  change(caller: Principal, prompt_id: string, facts: PromptFacts, precondition?: Precondition): Promise<PromptRow> {
    assertMayDelete(caller, 'prompt:delete', facts.prompt_active);
    return this.named(() =>
      this.db.write(async () => {
        const prompt = await this.access.lockToChange(caller, prompt_id, facts, precondition);
        prompt.prompt_categories = await this.prompts.listCategoryIds(prompt_id);
        const before = JSON.stringify(prompt.settings);
        await this.describe(caller, prompt, facts);
        if (JSON.stringify(prompt.settings) !== before) await this.amend(caller, prompt);
        return this.answer(prompt_id);
      }),
    );
  }

  remove(caller: Principal, prompt_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const prompt = await this.access.lockToDelete(caller, prompt_id, precondition);
      if (!prompt) return;
      prompt.prompt_categories = await this.prompts.listCategoryIds(prompt_id);
      prompt.describe({ prompt_active: false });
      await this.amend(caller, prompt);
    });
  }

  private async amend({ user_id }: Principal, prompt: Prompt): Promise<void> {
    prompt.amend(this.clock);
    await this.prompts.save(prompt);
    await this.prompts.saveReferences(prompt);
    await this.prompts.saveRevision(prompt, user_id);
  }

  private async describe(caller: Principal, prompt: Prompt, entered: PromptFacts): Promise<void> {
    const { prompt_acl, prompt_agent, prompt_knowledge, prompt_categories, ...rest } = entered;
    const facts: PromptFacts = {
      ...rest,
      ...(prompt_agent === undefined ? {} : { prompt_agent: prompt_agent?.toLowerCase() ?? null }),
      ...(prompt_knowledge ? { prompt_knowledge: plainIds(prompt_knowledge) } : {}),
      ...(prompt_categories ? { prompt_categories: plainIds(prompt_categories).sort() } : {}),
      ...(prompt_acl
        ? { prompt_acl: await this.subjects.validateSubjects('prompt_acl', prompt_acl, { before: prompt.prompt_acl, most: MOST_SUBJECTS }) }
        : {}),
    };
    if (facts.prompt_params) checkedParams('prompt_params', facts.prompt_params);
    await this.assertReferences(caller, prompt, facts);
    prompt.describe(facts);
  }

  private async assertReferences(caller: Principal, prompt: Prompt, facts: PromptFacts): Promise<void> {
    const { prompt_agent, prompt_model, prompt_icon, prompt_knowledge, prompt_categories } = facts;
    const faults: FieldFault[] = [
      ...(prompt_agent && prompt_agent !== prompt.prompt_agent && !(await this.agents.findUsable(caller, prompt_agent))
        ? [{ path: 'prompt_agent', code: 'reference', message: 'is not an active agent that you can use' }]
        : []),
      ...(prompt_model === undefined || prompt_model === prompt.prompt_model
        ? []
        : await this.references.checkModel('prompt_model', prompt_model)),
      ...(prompt_icon === undefined || prompt_icon === prompt.prompt_icon
        ? []
        : await this.references.checkIcon(caller, 'prompt_icon', prompt_icon)),
      ...(prompt_knowledge
        ? await this.references.checkKnowledge(caller, { field: 'prompt_knowledge', ids: prompt_knowledge, kept: prompt.prompt_knowledge })
        : []),
      ...(prompt_categories ? await this.strangeCategories(prompt_categories) : []),
    ];
    if (faults.length > 0) throw invalidFields(faults.slice(0, 50));
  }

  private async strangeCategories(ids: readonly string[]): Promise<FieldFault[]> {
    const known = ids.length > 0 ? await this.categories.lockExisting(ids) : new Set<string>();
    return ids.flatMap((id, at): FieldFault[] =>
      known.has(id) ? [] : [{ path: `prompt_categories[${at}]`, code: 'reference', message: 'is not an active prompt category' }],
    );
  }

  private async answer(prompt_id: string): Promise<PromptRow> {
    const row = await this.prompts.findPromptRow(prompt_id);
    if (!row) throw notFound('prompt');
    return row;
  }

  /** Of two that take one name at once, the second one is refused by the index. */
  private async named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw violatesConstraint(error, 'prompt_name_taken') ? promptNameTaken() : error;
    }
  }
}
