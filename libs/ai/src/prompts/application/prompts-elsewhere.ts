import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileOwners, type FileAction, type FileOwner, type Repository } from '@atrium/files';
import { BudgetTargets, UsageLabels } from '@atrium/governance';
import { AclSources, ContentOwners, type ContentBatch, type ContentMove, type ContentMoved } from '@atrium/identity';
import { aclAllows, type AclLevel, type Principal } from '@atrium/platform/access';
import { Database, deactivationOf, sql, type Sql } from '@atrium/platform/database';
import { notFound } from '@atrium/platform/kernel';
import { Prompt } from '../domain/prompt';
import { PromptsRepository } from '../infrastructure/prompts.repository';
import { PromptAccess } from './prompt-access';

const LEVELS: Readonly<Record<FileAction, AclLevel>> = { view: 'view', download: 'view', upload: 'edit', edit: 'edit', delete: 'edit' };

/** Prompts as other contexts meet them: owners of files, names in reports, targets of budgets, access lists, content of members. */
@Injectable()
export class PromptsElsewhere implements FileOwner, OnModuleInit {
  readonly type = 'prompt' as const;

  constructor(
    private readonly db: Database,
    private readonly prompts: PromptsRepository,
    private readonly access: PromptAccess,
    private readonly files: FileOwners,
    acls: AclSources,
    private readonly owners: ContentOwners,
    private readonly labels: UsageLabels,
    private readonly budgets: BudgetTargets,
  ) {
    acls.registerTable('prompt', {
      table: 'prompt',
      id: 'prompt_id',
      acl: 'prompt_acl',
      creator: 'prompt_user',
      name: 'prompt_name',
      view: 'prompt:view',
      handsOver: true,
      deletion: deactivationOf(Prompt),
    });
  }

  onModuleInit(): void {
    this.files.register(this);
    this.owners.register({ context: 'prompts', transferContent: (move, batch) => this.transfer(move, batch) });
    this.labels.register(
      'prompt',
      async (ids) => new Map([...(await this.prompts.findPromptNames(ids))].map(([id, { prompt_name }]) => [id, prompt_name])),
    );
    this.budgets.register('prompt', async (id) => (await this.prompts.findPromptNames([id])).get(id)?.prompt_active ?? false);
  }

  async hasOwner({ id }: Repository): Promise<boolean> {
    return id !== null && (await this.prompts.findRow(id))?.prompt_active === true;
  }

  async assertAccess(caller: Principal, { id }: Repository, action: FileAction): Promise<void> {
    if (id === null) throw notFound('prompt');
    await this.access.requireActive(caller, id, LEVELS[action]);
  }

  readableCondition(caller: Principal, _repository: Repository, action: FileAction = 'view'): Sql {
    return sql`EXISTS (SELECT FROM prompt p WHERE p.tenant_id = r.tenant_id AND p.prompt_id = r.repo_id AND p.prompt_active AND ${aclAllows('p.prompt_acl', caller, LEVELS[action])})`;
  }

  private async transfer(move: ContentMove, batch: ContentBatch): Promise<ContentMoved> {
    const { moved, seen, last } = await this.db.write(() => this.prompts.handOver(move, batch));
    return { moved, next: seen < batch.size ? null : last };
  }
}
