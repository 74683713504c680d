import { Injectable } from '@nestjs/common';
import { FormRows } from '@atrium/forms';
import { AclSubjects } from '@atrium/identity';
import type { Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { alreadyExists, Clock, Ids, invalidField, Problem, type JsonObject } from '@atrium/platform/kernel';
import { BackgroundJobs, planJob, Outbox } from '@atrium/platform/messaging';
import { checkedConfig, configOf } from '../domain/base-config';
import { KnowledgeBase, MOST_BASES, RESTORABLE_MS, type BaseType } from '../domain/knowledge-base';
import { BasesRepository } from '../infrastructure/bases.repository';
import { indexBase } from '../jobs/bases.jobs';
import { BaseAccess } from './base-access';
import { BaseAnswers, type BaseAnswer, type VersionedBaseAnswer } from './base-answers';

/** What a client says of a base. */
export interface BaseFacts {
  readonly ds_name?: string;
  readonly ds_description?: string | null;
  readonly ds_type?: BaseType;
  readonly ds_category?: string | null;
  readonly ds_subcategory?: string | null;
  readonly ds_config?: JsonObject;
}

export interface BaseFilters extends ListParameters {
  readonly ds_active?: boolean;
}

export interface BaseAcl {
  readonly ds_acl: JsonObject;
  readonly row_version: number;
}

/** Knowledge bases as such: what they are called, how their records are shaped and searched, and who may see them. */
@Injectable()
export class BasesService {
  constructor(
    private readonly db: Database,
    private readonly bases: BasesRepository,
    private readonly access: BaseAccess,
    private readonly answers: BaseAnswers,
    private readonly forms: FormRows,
    private readonly subjects: AclSubjects,
    private readonly jobs: BackgroundJobs,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, query: BaseFilters): Promise<Page<BaseAnswer>> {
    return this.db.read(async () => {
      const page = await this.bases.listBases(caller, query, this.clock.after(-RESTORABLE_MS));
      return { ...page, data: await this.answers.completeRows(caller, page.data) };
    });
  }

  get(caller: Principal, ds_id: string): Promise<VersionedBaseAnswer> {
    return this.db.read(async () => {
      await this.access.requireBase(caller, ds_id);
      return this.answers.readBase(caller, ds_id);
    });
  }

  create(caller: Principal, facts: BaseFacts & { readonly ds_name: string }): Promise<VersionedBaseAnswer> {
    return this.runWithUniqueName(() =>
      this.db.write(async () => {
        const base = this.blank(caller, facts.ds_name);
        await this.apply(base, { ds_type: 'text', ds_config: {}, ...facts });
        await this.assertRoom();
        await this.bases.insert(base);
        this.outbox.emitEvent({ name: 'knowledge.created', subject_id: base.ds_id, payload: { ds_name: base.ds_name } });
        return this.answers.readBase(caller, base.ds_id);
      }),
    );
  }

  change(caller: Principal, ds_id: string, facts: BaseFacts, precondition?: Precondition): Promise<VersionedBaseAnswer> {
    return this.runWithUniqueName(() =>
      this.db.write(async () => {
        const base = await this.access.lockBase(caller, ds_id, 'edit', precondition);
        const { target_tokens, overlap_tokens } = base.config.chunking;
        await this.apply(base, facts);
        const { chunking } = base.config;
        base.touch(this.clock);
        if (chunking.target_tokens !== target_tokens || chunking.overlap_tokens !== overlap_tokens)
          base.ds_metadata = { ...base.ds_metadata, reindex_job: (await this.jobs.startJob(planJob(indexBase, { ds_id }))).job_id };
        await this.bases.save(base);
        this.outbox.emitEvent({ name: 'knowledge.updated', subject_id: ds_id, payload: { changed: Object.keys(facts) } });
        return this.answers.readBase(caller, ds_id);
      }),
    );
  }

  getAccessList(caller: Principal, ds_id: string): Promise<BaseAcl> {
    return this.db.read(async () => aclOf(await this.access.requireBase(caller, ds_id)));
  }

  changeAccessList(caller: Principal, ds_id: string, ds_acl: JsonObject, precondition?: Precondition): Promise<BaseAcl> {
    return this.db.write(async () => {
      const base = await this.access.lockToShare(caller, ds_id, precondition);
      base.ds_acl = await this.subjects.validateSubjects('ds_acl', ds_acl, { before: base.ds_acl });
      base.touch(this.clock);
      await this.bases.save(base);
      this.outbox.emitEvent({ name: 'knowledge.updated', subject_id: ds_id, payload: { changed: ['ds_acl'] } });
      return aclOf(base);
    });
  }

  /** Refuses a base beyond the limit of a workspace; concurrent creations wait for each other here. */
  async assertRoom(): Promise<void> {
    await this.bases.lockBaseCount();
    if (await this.bases.hasAtLeast(MOST_BASES))
      throw new Problem('limit_reached', `A workspace can have at most ${MOST_BASES} knowledge bases.`);
  }

  /** Of two that take one name at once, the second one is refused by the index. */
  async runWithUniqueName<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (violatesConstraint(error, 'knowledge_base_name_taken')) throw nameTaken();
      throw error;
    }
  }

  async assertFreeName({ ds_name, ds_id }: KnowledgeBase): Promise<void> {
    if (await this.bases.isNamed(ds_name, ds_id)) throw nameTaken();
  }

  private blank({ user_id }: Principal, ds_name: string): KnowledgeBase {
    const now = this.clock.now();
    return KnowledgeBase.blank({ ds_id: this.ids.next(), ds_name, ds_created_by: user_id }, now);
  }

  private async apply(base: KnowledgeBase, { ds_name, ds_type, ds_config, ...texts }: BaseFacts): Promise<void> {
    if (ds_name !== undefined) {
      base.ds_name = ds_name;
      await this.assertFreeName(base);
    }
    if (ds_type !== undefined || ds_config !== undefined) await this.describe(base, ds_type ?? base.ds_type, ds_config);
    if (texts.ds_description !== undefined) base.ds_description = texts.ds_description;
    if (texts.ds_category !== undefined) base.ds_category = texts.ds_category;
    if (texts.ds_subcategory !== undefined) base.ds_subcategory = texts.ds_subcategory;
  }

  /** Settings that name no schema keep the one that a form base has. */
  private async describe(base: KnowledgeBase, type: BaseType, wanted: JsonObject | undefined): Promise<void> {
    const kept: JsonObject = type === 'form' && base.form_id ? { form_id: base.form_id } : {};
    const config = checkedConfig({ ...kept, ...(wanted ?? withoutForm(base.ds_config)) });
    const { form_id } = configOf(config);
    if (type === 'text' && form_id !== null)
      throw invalidField('ds_config.form_id', 'must be omitted unless the base has the type form', 'not_applicable');
    if (type === 'form' && form_id === null) throw invalidField('ds_config.form_id', 'is required for a base of the type form', 'required');
    const before = base.form_id ?? null;
    base.describe(type, config);
    if (form_id !== null && form_id !== before) await this.assertSchema(form_id);
  }

  private async assertSchema(form_id: string): Promise<void> {
    const form = (await this.forms.openAll('record', [form_id], 'share')).get(form_id);
    if (!form) throw invalidField('ds_config.form_id', 'must be a record schema of this workspace', 'reference');
    if (!form.form_active) throw invalidField('ds_config.form_id', 'must be an active schema', 'reference');
  }
}

const nameTaken = (): Problem => alreadyExists('ds_name', 'An active knowledge base with this name already exists. Choose another name.');
const aclOf = ({ ds_acl, row_version }: KnowledgeBase): BaseAcl => ({ ds_acl, row_version });
const withoutForm = ({ form_id: _, ...config }: JsonObject): JsonObject => config;
