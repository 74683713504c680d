import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Principal, systemPrincipal } from '@atrium/platform/access';
import { Database, sql, requireScope, type Sql } from '@atrium/platform/database';
import { Problem } from '@atrium/platform/kernel';
import { planJob, Outbox } from '@atrium/platform/messaging';
import {
  defineFileJob,
  FileEdits,
  FileJobKinds,
  FileJobs,
  FileLifecycle,
  SearchLanguage,
  type File,
  type FileJobBatch,
  type FileJobRow,
  type FileJobStep,
} from '@atrium/files';
import type { TagRule, TagScope } from '../domain/media-tag-group';
import { FileTagsRepository } from '../infrastructure/file-tags.repository';
import { TagGroupsRepository, type TagGroupRow, type Vocabulary } from '../infrastructure/tag-groups.repository';
import { tagRules } from '../jobs/tags.jobs';
import { FileTagging } from './file-tagging';
import { auditedText } from '../../shared/job-params';
import { TagVocabulary } from './tag-vocabulary';

const RULES_JOB = defineFileJob('media.tag_rules', {
  seenWith: ['admin:media-tags'],
  rights: () => ({ permission: 'admin:media-tags' }),
});

const BATCH = 200;

/**
 * Rules of groups: what a query finds gets a value. They are applied to a file when it is ready, and to all files when
 * somebody asks. Decisions of people stay: a tag they took off is not put on again, a single value they chose stays.
 */
@Injectable()
export class TagRules implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly groups: TagGroupsRepository,
    private readonly tagged: FileTagsRepository,
    private readonly vocabulary: TagVocabulary,
    private readonly tagging: FileTagging,
    private readonly language: SearchLanguage,
    private readonly edits: FileEdits,
    private readonly lifecycle: FileLifecycle,
    private readonly jobs: FileJobs,
    private readonly kinds: FileJobKinds,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({ onReady: (file) => this.consider(file) });
    this.kinds.register({ kind: RULES_JOB, whole: true, runStep: (step) => this.step(step) });
  }

  /** Within the unit of work that is open. */
  applyToAll(caller: Principal, { mtg_id }: Pick<TagGroupRow, 'mtg_id'>): Promise<FileJobRow> {
    return this.jobs.startJob(caller, { kind: RULES_JOB, params: { group: mtg_id }, total: null, subject: `tag-rules:${mtg_id}` });
  }

  /** All rules, for one file. */
  applyRules(file_id: string): Promise<void> {
    return this.db.write(async () => {
      const [file] = await this.edits.holdMany(null, [file_id]);
      const scope = file && scopeOf(file);
      if (!file || !scope) return;
      for (const group of await this.groups.listWithRules(scope))
        for (const rule of group.mtg_rules) await this.applyTo([file_id], scope, group, rule);
    });
  }

  private async consider(file: File): Promise<void> {
    const scope = scopeOf(file);
    if (scope && (await this.groups.listWithRules(scope)).length > 0) this.outbox.addJob(planJob(tagRules, { file_id: file.file_id }));
  }

  /** One stretch of the files that one rule finds, in the order of their ids. */
  private step({ params, checkpoint }: FileJobStep): Promise<FileJobBatch> {
    const [rule = 0, after = null] = checkpoint === null ? [] : placeOf(checkpoint);
    return this.db.write(async () => {
      const row = await this.groups.findGroupRow(auditedText(params, 'group'));
      const at = row?.mtg_rules[rule];
      if (!row || !at) return { checkpoint: null, done: 0, failed: 0, errors: [] };
      const found = await this.found(row.mtg_scope, at, sql`(${after}::uuid IS NULL OR r.file_id > ${after}::uuid)`);
      await this.edits.holdMany(null, found);
      const last = found.at(-1);
      const done = await this.tag(found, row.mtg_scope, row, at);
      return { checkpoint: last !== undefined && found.length === BATCH ? `${rule}:${last}` : `${rule + 1}:`, done, failed: 0, errors: [] };
    });
  }

  private async applyTo(file_ids: readonly string[], scope: TagScope, group: Vocabulary, rule: TagRule): Promise<void> {
    const found = await this.found(scope, rule, sql`r.file_id = ANY(${[...file_ids]}::uuid[])`);
    await this.tag(found, scope, group, rule);
  }

  /** A rule whose query is not understood any more finds nothing. */
  private async found(scope: TagScope, { query_search }: TagRule, among: Sql): Promise<string[]> {
    try {
      const reader = this.ruleReader();
      const { where } = await this.language.compileQuery({ scope, query: await this.language.readQuery(query_search, scope), reader });
      return await this.tagged.findMatchingFiles({ within: this.language.scopeCondition(scope, reader), among, where }, BATCH);
    } catch (error) {
      if (error instanceof Problem && error.code === 'validation_failed') return [];
      throw error;
    }
  }

  private async tag(
    file_ids: readonly string[],
    scope: TagScope,
    { mtg_name }: Pick<Vocabulary, 'mtg_name'>,
    { value }: TagRule,
  ): Promise<number> {
    if (file_ids.length === 0) return 0;
    const tags = (
      await this.vocabulary.resolveTags({ [mtg_name]: [value] }, { scope, path: 'mtg_rules', caller: null, unknown: 'make', lenient: true })
    ).filter(({ active }) => active);
    return this.tagging.changeTags(
      file_ids.map((file_id) => ({ file_id })),
      { add: tags, remove: [] },
      { source: 'rule', by: null },
    );
  }

  /** In whose name rules look at files: the workspace itself, which sees all of its library. */
  private ruleReader(): Principal {
    return systemPrincipal(requireScope().tenant_id);
  }
}

const scopeOf = ({ repo_type }: Pick<File, 'repo_type'>): TagScope | null =>
  repo_type === 'media' || repo_type === 'docs' ? repo_type : null;

function placeOf(checkpoint: string): [number, string | null] {
  const [rule, after] = checkpoint.split(':');
  return [Number(rule), after || null];
}
