import { Injectable } from '@nestjs/common';
import { ReleasableFiles, type ReleasableFile } from '@atrium/files';
import { ReleaseRules as ReleaseRefusals } from '@atrium/media';
import type { Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import { Clock, invalidField, invalidState, notFound, notYet, Problem } from '@atrium/platform/kernel';
import type { ReleaseRules } from '../../control/domain/release-rules';
import { RestrictionsRepository } from '../../control/infrastructure/restrictions.repository';
import type { Publication } from '../domain/publication';
import { PublicationsRepository } from '../infrastructure/publications.repository';

/** Which files may be released, under which rules, and whose publications a caller may change: asked within the unit of work that does so. */
@Injectable()
export class ReleaseGate {
  constructor(
    private readonly publications: PublicationsRepository,
    private readonly restrictions: RestrictionsRepository,
    private readonly files: ReleasableFiles,
    private readonly refusals: ReleaseRefusals,
    private readonly clock: Clock,
  ) {}

  /**
   * The file, ready and allowed to be public, and the moment for which that was decided. It is locked first, and one release
   * of it decides at a time: a withdrawal of the file waits for this unit of work, or came before it.
   */
  async lockReleasable(
    caller: Principal,
    file_id: string,
    comment: string | null,
  ): Promise<{ readonly file: ReleasableFile; readonly at: Date }> {
    const file = await this.files.lockReleasable(caller, file_id, 'edit');
    if (file.file_processing === 'quarantined') throw invalidState('The file is in quarantine and cannot be published.');
    if (file.file_processing === 'pending' || file.file_hash === null)
      throw notYet('The file is still being processed. Try again when it is ready.', 2);
    await this.publications.lockRelease(file_id);
    const at = this.clock.now();
    const refusal = (await this.refusals.findRefusals([file_id], 'publish', { caller, override: comment, at })).get(file_id);
    if (refusal) throw new Problem(refusal.code, refusal.reason);
    return { file, at };
  }

  async assertNameable({ pub_restrictions }: ReleaseRules): Promise<void> {
    if (pub_restrictions.length === 0) return;
    const nameable = await this.restrictions.lockNameable(pub_restrictions);
    const unknown = pub_restrictions.findIndex((id) => !nameable.has(id));
    if (unknown >= 0) throw invalidField(`restrictions[${unknown}]`, 'must be an active restriction of this workspace', 'reference');
  }

  /** The publication of a file that the caller may see, locked. */
  async lockPublication(caller: Principal, file_id: string, precondition?: Precondition): Promise<Publication> {
    const id = await this.publications.findPublicationId(file_id);
    if (id === null) throw notFound('publication of this file');
    return this.publications.lock(id, precondition, ({ pub_file, pub_repo_type }) =>
      this.files.assertVisible(caller, { file_id: pub_file, repo_type: pub_repo_type }),
    );
  }
}
