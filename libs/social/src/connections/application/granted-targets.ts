import { Injectable } from '@nestjs/common';
import { Clock, Ids } from '@atrium/platform/kernel';
import type { GrantedAuthor } from '../../network/domain/social-port';
import { SocialTarget } from '../domain/social-connection';
import { TargetsRepository } from '../infrastructure/targets.repository';

/** Keeps the targets of a connection as the platform has them: the newest grant serves each. Within a unit of work that holds the connection. */
@Injectable()
export class GrantedTargets {
  constructor(
    private readonly targets: TargetsRepository,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  async adoptAuthors(con_id: string, authors: readonly GrantedAuthor[]): Promise<void> {
    const now = this.clock.now();
    const known = await this.targets.lockByExternal(authors.map(({ external_id }) => external_id));
    const zone = await this.targets.readWorkspaceZone();
    for (const author of authors) {
      const found = known.find(({ target }) => target.tgt_external_id === author.external_id);
      if (!found) {
        await this.targets.insert(SocialTarget.blank({ tgt_id: this.ids.next(), tgt_connection: con_id, tgt_timezone: zone }, author, now));
        continue;
      }
      // What a removed connection or a lost role had disabled is there again.
      const wasLost = found.isOrphaned || !found.target.tgt_can.post;
      found.target.serve(con_id, author, { enable: wasLost, now });
      await this.targets.save(found.target);
    }
    await this.loseOthers(con_id, authors);
  }

  private async loseOthers(con_id: string, authors: readonly GrantedAuthor[]): Promise<void> {
    const granted = new Set(authors.map(({ external_id }) => external_id));
    for (const target of await this.targets.lockTargetsOf(con_id)) {
      if (granted.has(target.tgt_external_id) || !target.tgt_can.post) continue;
      target.lose(this.clock.now());
      await this.targets.save(target);
    }
  }
}
