import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { notFound } from '@atrium/platform/kernel';
import { ALWAYS_OPEN } from '../../control/domain/evaluator';
import { ShareLinksRepository } from '../infrastructure/share-links.repository';
import { EvaluatedSubjects, type EvaluatedSubject } from '../../control/application/evaluation.service';

/** Provides the state of a link to what-if: only the baseline of the workspace applies to it, or nothing. */
@Injectable()
export class ShareEvaluation implements OnModuleInit {
  constructor(
    private readonly subjects: EvaluatedSubjects,
    private readonly links: ShareLinksRepository,
  ) {}

  onModuleInit(): void {
    this.subjects.register('share_id', (caller, id) => this.read(caller, id));
  }

  private async read(caller: Principal, id: string): Promise<EvaluatedSubject> {
    const link = await this.links.findRow(id);
    if (!link || (link.share_created_by !== caller.user_id && !caller.permissions.has('admin:share-links'))) throw notFound('share link');
    const open = !link.share_revoked && link.share_active;
    const standing = { ...ALWAYS_OPEN, state: open ? ('published' as const) : ('revoked' as const), end: link.share_expires_at };
    return { standing, restrictions: [], deny: [], ...(link.options.apply_restrictions ? {} : { unruled: true }) };
  }
}
