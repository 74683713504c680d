import { Injectable } from '@nestjs/common';
import { HistoryWriter, type HistoryAction } from '@atrium/files';
import { Audit, changesBetween, changesNothing, defineAuditTypes } from '@atrium/platform/access';
import { Database, listPage, sql, type ListParameters, type Page } from '@atrium/platform/database';
import { Clock, Ids, type JsonObject } from '@atrium/platform/kernel';
import { Outbox } from '@atrium/platform/messaging';
import type { Publication } from '../domain/publication';
import { PublicationEvent } from '../domain/publication-event';
import { PublicationHistoryRows } from '../infrastructure/publication-history.rows';

/** What is kept of releases. */
const PUBLICATIONS_AUDIT = defineAuditTypes({
  'publication.published': 'A file was published.',
  'publication.scheduled': 'The publication of a file was scheduled.',
  'publication.updated': 'The rules or the version of a publication were changed.',
  'publication.revoked': 'A publication was revoked.',
});

export type PublicationAction =
  | 'draft_saved'
  | 'draft_dropped'
  | 'scheduled'
  | 'published'
  | 'updated'
  | 'live'
  | 'version'
  | 'copy_failed'
  | 'retried'
  | 'unscheduled'
  | 'revoked';

/** What is reported of it: a domain event, a line in the history of the file, an entry of the audit trail. */
const REPORTED: Readonly<
  Partial<
    Record<PublicationAction, { readonly event: string; readonly file?: HistoryAction; readonly audit?: keyof typeof PUBLICATIONS_AUDIT }>
  >
> = {
  scheduled: { event: 'publication.scheduled', audit: 'publication.scheduled' },
  published: { event: 'publication.published', file: 'published', audit: 'publication.published' },
  live: { event: 'publication.published', file: 'published' },
  updated: { event: 'publication.updated', audit: 'publication.updated' },
  version: { event: 'publication.updated' },
  copy_failed: { event: 'publication.copy_failed' },
  unscheduled: { event: 'publication.revoked', audit: 'publication.revoked' },
  revoked: { event: 'publication.revoked', file: 'revoked', audit: 'publication.revoked' },
};

const EDGES = sql`coalesce(r.ph_edges, '[]'::jsonb) AS ph_edges`;

/**
 * What happened to publications, from which rules to which: written in the transaction in which it happens, reported to every
 * log that keeps them.
 */
@Injectable()
export class PublicationJournal {
  constructor(
    private readonly db: Database,
    private readonly rows: PublicationHistoryRows,
    private readonly history: HistoryWriter,
    private readonly audit: Audit,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** `at`: when it was decided; absent: now. A change without an effect is neither recorded nor reported. */
  async recordAction(
    publication: Publication,
    action: PublicationAction,
    from: JsonObject | null,
    to: JsonObject | null,
    at = this.clock.now(),
  ): Promise<void> {
    const { pub_id, pub_file, pub_file_name, pub_edge_revision, pub_edge_due } = publication;
    const changes = changesBetween(from, to);
    if (changesNothing(changes)) return;
    const revision = pub_edge_due === null ? null : pub_edge_revision;
    await this.rows.insertEvent({
      ph_id: this.ids.next(),
      ph_publication: pub_id,
      ph_action: action,
      ph_created: at,
      ph_from: changes.before,
      ph_to: changes.after,
      ph_revision: revision,
    });
    const reported = REPORTED[action];
    if (!reported) return;
    this.outbox.emitEvent({ name: reported.event, subject_id: pub_id, payload: { pub_file, action, ...(to ?? {}) } });
    if (reported.file) await this.history.addEntries([{ file_id: pub_file, action: reported.file, details: { pub_id, ...(to ?? {}) } }]);
    if (reported.audit)
      this.audit.record({
        type: PUBLICATIONS_AUDIT[reported.audit],
        target: { type: 'publication', id: pub_id, name: pub_file_name },
        ...changes,
      });
  }

  listEvents(pub_id: string, query: ListParameters): Promise<Page<PublicationEvent>> {
    return listPage<PublicationEvent>(this.db.current(), PublicationEvent, query, {
      where: sql`r.ph_publication = ${pub_id}`,
      select: EDGES,
    });
  }
}
