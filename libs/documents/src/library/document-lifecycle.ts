import { Injectable } from '@nestjs/common';
import { FileEdits, HistoryWriter } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { Clock, invalidField, notFound, Problem, type FieldFault } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import { FilePassages } from '@atrium/retrieval';
import { DocumentsRepository, type Deprecation } from './documents.repository';

/** Why a document is deprecated and where to go instead; what is absent stays as it was said before. */
export type Reasons = Partial<Pick<Deprecation, 'file_deprecated_reason' | 'file_superseded_by'>>;

/**
 * Active documents answer searches, deprecated ones are kept for those who know them: their bytes, links and text stay,
 * and at the commit that deprecates them nothing finds them any more.
 */
@Injectable()
export class DocumentLifecycle {
  constructor(
    private readonly db: Database,
    private readonly edits: FileEdits,
    private readonly documents: DocumentsRepository,
    private readonly passages: FilePassages,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /** Said again, the reasons are replaced. */
  deprecate(caller: Principal, id: string, reasons: Reasons): Promise<void> {
    return this.db.write(async () => {
      await this.hold(caller, id);
      const before = (await this.documents.findDeprecations([id])).get(id);
      const deprecation: Deprecation = {
        file_deprecated_at: before?.file_deprecated_at ?? this.clock.now(),
        file_deprecated_by: before ? before.file_deprecated_by : caller.user_id,
        file_deprecated_reason:
          reasons.file_deprecated_reason === undefined ? (before?.file_deprecated_reason ?? null) : reasons.file_deprecated_reason,
        file_superseded_by: await this.successor(caller, id, reasons.file_superseded_by, before),
      };
      await this.documents.deprecateDocument(id, deprecation);
      await this.edits.touchFiles([id]);
      if (before) return;
      await this.passages.updateScopes([id]);
      await this.history.addEntries([
        {
          file_id: id,
          action: 'deprecated',
          details: deprecation.file_deprecated_reason ? { reason: deprecation.file_deprecated_reason } : {},
        },
      ]);
      this.outbox.emitEvent({ name: 'document.deprecated', subject_id: id, payload: {} });
    });
  }

  /** Is found again: at once while its passages are there. An active document stays as it is. */
  restore(caller: Principal, id: string): Promise<void> {
    return this.db.write(async () => {
      await this.hold(caller, id);
      if ((await this.documents.activateDocuments([id])).length === 0) return;
      await this.edits.touchFiles([id]);
      await this.passages.updateScopes([id]);
      await this.history.addEntries([{ file_id: id, action: 'reactivated' }]);
      this.outbox.emitEvent({ name: 'document.restored', subject_id: id, payload: {} });
    });
  }

  private async hold(caller: Principal, id: string): Promise<void> {
    const file = await this.edits.lockLiveFile(caller, id, 'edit');
    if (file.repo_type !== 'docs') throw notFound('document');
  }

  /** A document that the caller sees, not itself, and not one that leads back here. */
  private async successor(
    caller: Principal,
    id: string,
    wanted: string | null | undefined,
    before: Deprecation | undefined,
  ): Promise<string | null> {
    if (wanted === undefined) return before?.file_superseded_by ?? null;
    if (wanted === null) return null;
    const next = wanted.toLowerCase();
    if (next === id) throw fault('must not be the document itself', 'self');
    const seen = await this.edits.requireVisibleFile(caller, next).catch((error: unknown) => {
      if (error instanceof Problem) return null;
      throw error;
    });
    if (seen?.repo_type !== 'docs') throw fault('must be a document of this workspace', 'reference');
    if (await this.documents.hasSuccessorPath(next, id)) throw fault('is itself superseded by this document', 'cycle');
    return next;
  }
}

const fault = (message: string, code: FieldFault['code']): Problem => invalidField('file_superseded_by', message, code);
