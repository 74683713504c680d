import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileEdits, FileLifecycle, HistoryWriter, KnownPages, type File, type Repository } from '@atrium/files';
import { Outbox } from '@atrium/platform/messaging';
import { FileTexts, TextRepositories, TextWatchers } from '@atrium/retrieval';
import { RelationsRepository } from '../relations/relations.repository';
import { DocumentAccess } from './document-access';
import { DocumentsRepository } from './documents.repository';
import { PassageFilters } from './passage-filters';

/** What happens to files happens to documents, in the same transaction; and searches ask here what of the library they may find. */
@Injectable()
export class DocumentHooks implements OnModuleInit {
  constructor(
    private readonly lifecycle: FileLifecycle,
    private readonly watchers: TextWatchers,
    private readonly repositories: TextRepositories,
    private readonly documents: DocumentsRepository,
    private readonly relations: RelationsRepository,
    private readonly access: DocumentAccess,
    private readonly filters: PassageFilters,
    private readonly texts: FileTexts,
    private readonly pages: KnownPages,
    private readonly edits: FileEdits,
    private readonly history: HistoryWriter,
    private readonly outbox: Outbox,
  ) {}

  onModuleInit(): void {
    this.lifecycle.register({ onMoved: (files, from) => this.leave(files, from) });
    this.watchers.register((file_id, status) => this.extracted(file_id, status));
    this.repositories.register({
      type: 'docs',
      buildReadableCondition: (actor) => Promise.resolve(this.access.readerCondition(actor)),
      filterSearched: async (file_ids) => {
        const deprecated = await this.documents.findDeprecations(file_ids);
        return new Set(file_ids.filter((id) => !deprecated.has(id)));
      },
      filters: this.filters.all,
    });
  }

  /** What was said of a document is let go with it, and so are its links. */
  private async leave(files: readonly File[], from: Repository): Promise<void> {
    if (from.type !== 'docs') return;
    const left = files.filter(({ repo_type }) => repo_type !== 'docs').map(({ file_id }) => file_id);
    if (left.length === 0) return;
    await this.documents.activateDocuments(left);
    await this.relations.removeOf(left);
  }

  private async extracted(file_id: string, status: string): Promise<void> {
    const text = (await this.texts.findTexts([file_id])).get(file_id);
    if (text?.ft_pages) await this.pages.recordPages(file_id, { hash: text.ft_version, pages: text.ft_pages });
    const [file] = await this.edits.holdMany(null, [file_id]);
    if (file?.repo_type !== 'docs') return;
    await this.history.addEntries([{ file_id, action: 'extracted', details: { status } }]);
    this.outbox.emitEvent({ name: 'document.extracted', subject_id: file_id, payload: { status } });
  }
}
