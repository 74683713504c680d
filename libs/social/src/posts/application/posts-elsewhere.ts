import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileLifecycle, FileReferences, type KnownReferences } from '@atrium/files';
import { AclSources, ContentOwners, WorkspacePurgers, type ContentBatch, type ContentMove, type ContentMoved } from '@atrium/identity';
import { StatusEffects, type Withheld } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import { Database, deactivationOf } from '@atrium/platform/database';
import type { PostIssue } from '../domain/post-parts';
import { SocialPost } from '../domain/social-post';
import { PostsRepository } from '../infrastructure/posts.repository';

const SENT = ['published', 'partial'];

/** What other contexts ask of posts: who may read them, which files they use, and that they go with their workspace. */
@Injectable()
export class PostsElsewhere implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly posts: PostsRepository,
    private readonly owners: ContentOwners,
    private readonly references: FileReferences,
    private readonly lifecycle: FileLifecycle,
    private readonly statuses: StatusEffects,
    private readonly purgers: WorkspacePurgers,
    acls: AclSources,
  ) {
    acls.registerTable('social_post', {
      table: 'social_post',
      id: 'sp_id',
      acl: 'sp_acl',
      creator: 'sp_created_by',
      name: 'sp_title',
      view: 'social:view',
      deletion: deactivationOf(SocialPost),
    });
  }

  onModuleInit(): void {
    this.owners.register({ context: 'social', transferContent: (move, batch) => this.transfer(move, batch) });
    this.references.register({ referencesTo: (caller, file_id) => this.referencesTo(caller, file_id) });
    this.lifecycle.register({
      onTrashed: (files) =>
        this.noteUnavailable(
          files.map(({ file_id }) => file_id),
          'A file of the post is in the trash.',
        ),
      onPurged: (ids) => this.noteUnavailable(ids, 'A file of the post was deleted.'),
    });
    this.statuses.register({ context: 'social', onWithheld: (withheld) => this.noteWithheld(withheld) });
    this.purgers.register({
      context: 'social',
      order: 104,
      tables: [
        'social_metric',
        'social_attempt',
        'social_post_file',
        'social_variant',
        'social_post',
        'social_slot',
        'social_target',
        'social_auth',
        'social_connection',
      ],
    });
  }

  private async noteWithheld({ file_ids, uses, reason }: Withheld): Promise<void> {
    if (uses.includes('publish')) await this.noteUnavailable(file_ids, reason);
  }

  /** Unsent posts say so; whether it is still so is decided again when they are sent. */
  private async noteUnavailable(file_ids: readonly string[], message: string): Promise<void> {
    const issue: PostIssue = { code: 'file_unavailable', severity: 'error', variant: null, path: 'sp_files', message };
    for (const post of await this.posts.lockUnsentWith(file_ids)) {
      if (post.sp_issues.some((known) => known.code === issue.code && known.message === message)) continue;
      post.sp_issues = [...post.sp_issues, issue];
      await this.posts.save(post);
    }
  }

  /** A file is kept while a post that uses it is not sent. */
  private async referencesTo(caller: Principal, file_id: string): Promise<KnownReferences> {
    const uses = await this.posts.findUses(caller, file_id);
    const shown = uses.filter(({ readable }) => readable && caller.permissions.has('social:view'));
    return {
      data: shown.map(({ sp_id, sp_title, sp_state }) => ({
        ref_type: 'social_post',
        ref_id: sp_id,
        ref_name: sp_title,
        ref_detail: sp_state,
        ref_blocking: !SENT.includes(sp_state),
      })),
      hidden: uses.length - shown.length,
    };
  }

  private async transfer(move: ContentMove, batch: ContentBatch): Promise<ContentMoved> {
    const { moved, seen, last } = await this.db.write(() => this.posts.handOver(move, batch));
    return { moved, next: seen < batch.size ? null : last };
  }
}
