import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileLifecycle, FileReferences, ReleasableFiles, type File, type KnownReferences } from '@atrium/files';
import { StatusEffects, type Withheld } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import { notFound } from '@atrium/platform/kernel';
import { PublicationsRepository } from '../infrastructure/publications.repository';
import { EvaluatedSubjects, type EvaluatedSubject } from '../../control/application/evaluation.service';
import { PublicCopies } from './public-copies';
import { PublicationFollowing } from './publication-following';
import { RuleFollowers } from '../../control/application/rule-followers';
import { EdgePolicies } from './edge-policies';

/**
 * What other areas ask of publications: they follow their files in the same transaction (trash and refusals revoke, a new
 * version makes them stale), report where files are used, and the state of an address.
 */
@Injectable()
export class PublishedFiles implements OnModuleInit {
  constructor(
    private readonly publications: PublicationsRepository,
    private readonly following: PublicationFollowing,
    private readonly copies: PublicCopies,
    private readonly files: ReleasableFiles,
    private readonly lifecycle: FileLifecycle,
    private readonly references: FileReferences,
    private readonly statuses: StatusEffects,
    private readonly subjects: EvaluatedSubjects,
    private readonly followers: RuleFollowers,
    private readonly edges: EdgePolicies,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({
      onVersion: (file) => this.publications.followFile(file),
      onRenamed: (file) => this.publications.followFile(file),
      onMoved: (files) => this.moved(files),
      onTrashed: (files) =>
        this.following.withdrawOf(
          files.map(({ file_id }) => file_id),
          'trashed',
        ),
      onPurged: (ids) => this.following.withdrawOf(ids, 'trashed'),
    });
    this.statuses.register({ context: 'publications', onWithheld: (withheld) => this.withheld(withheld) });
    this.references.register({ referencesTo: (caller, file_id) => this.referencesTo(caller, file_id) });
    this.subjects.register('pub_id', (caller, id) => this.subject(caller, id));
    this.subjects.register('file_id', async (caller, id) => this.subject(caller, await this.publications.findPublicationId(id)));
    this.followers.register((restriction) => this.edges.onRuleChange(restriction));
  }

  /** Their copies are counted under the kind of repository that they are in. */
  private async moved(files: readonly File[]): Promise<void> {
    const kinds = new Map(files.map((file) => [file.file_id, file]));
    for (const publication of await this.publications.lockLiveOf([...kinds.keys()])) {
      this.copies.uncountCopy(publication);
      publication.pub_repo_type = kinds.get(publication.pub_file)?.repo_type ?? publication.pub_repo_type;
      this.copies.countCopy(publication);
      await this.publications.save(publication);
    }
    for (const file of files) await this.publications.followFile(file);
  }

  private async withheld({ file_ids, uses, cause, since }: Withheld): Promise<void> {
    if (uses.includes('publish')) await this.following.withdrawOf(file_ids, cause, since);
  }

  /** Everyone who may see the file may see that it is published. */
  private async referencesTo(_caller: Principal, file_id: string): Promise<KnownReferences> {
    const rows = await this.publications.findUnrevokedOf(file_id);
    return {
      data: rows.map(({ pub_id, pub_url, pub_state, pub_file_name }) => ({
        ref_type: 'publication',
        ref_id: pub_id,
        ref_name: pub_url ?? pub_file_name,
        ref_detail: pub_state,
        ref_blocking: false,
      })),
      hidden: 0,
    };
  }

  private async subject(caller: Principal, id: string | null): Promise<EvaluatedSubject> {
    const publication = id === null ? null : await this.publications.findRow(id);
    if (!publication) throw notFound('publication');
    await this.files.assertVisible(caller, { file_id: publication.pub_file, repo_type: publication.pub_repo_type });
    return { standing: publication.standing, restrictions: publication.pub_restrictions, deny: publication.pub_deny };
  }
}
