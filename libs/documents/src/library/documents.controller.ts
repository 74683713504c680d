import { Body as FromBody, Controller, Get, Post, Query, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { FileTags } from '@atrium/media';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page } from '@atrium/platform/database';
import { API_PREFIX, HasId, JobView, KeptAs, PathId, Problems, Returns, ReturnsState } from '@atrium/platform/http';
import type { Job } from '@atrium/platform/messaging';
import type { SourcePassage } from '@atrium/retrieval';
import type { Response } from 'express';
import { DocumentLifecycle } from './document-lifecycle';
import { DocumentTexts, type MarkdownAnswer } from './document-texts';
import {
  CountDocumentFormats,
  DeprecateDocument,
  DocumentDetailView,
  DocumentFormatPage,
  DocumentMarkdownView,
  DocumentPage,
  DocumentPassagePage,
  ExtractDocument,
  ListDocumentPassages,
  ListDocuments,
  ReadMarkdown,
  TagDocuments,
  TaggedDocuments,
} from './documents.dto';
import { DocumentsService, type DocumentDetails, type ListedDocument } from './documents.service';

const LICENSE = 'module-documents';
const jobLocation = ({ job_id }: Pick<Job, 'job_id'>): string => `/${API_PREFIX}/jobs/${job_id}`;

/** The document library. */
@ApiTags('Documents')
@Controller('documents')
export class DocumentsController {
  constructor(
    private readonly documents: DocumentsService,
    private readonly lifecycle: DocumentLifecycle,
    private readonly texts: DocumentTexts,
    private readonly tags: FileTags,
  ) {}

  /**
   * Lists the documents of the library.
   *
   * Documents must match all filters. The newest come first unless `sort` is set. Deprecated documents are listed
   * only if `lifecycle` or `file_id` asks for them; documents in a folder that you cannot view are never listed.
   *
   * With `embedding_search`, the most similar documents come first regardless of `sort`, and at most 1,000 are
   * returned. If the text cannot be embedded within three seconds, documents whose name or summary contains it are
   * listed instead, newest first, and the header `X-Search-Mode` is `text` instead of `meaning`.
   */
  @Get()
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(DocumentPage, 'A page of documents.')
  async list(
    @Caller() caller: Principal,
    @Query() query: ListDocuments,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Page<ListedDocument>> {
    const { page, mode } = await this.documents.list(caller, query);
    if (mode) response.setHeader('X-Search-Mode', mode);
    return page;
  }

  /**
   * Lists the file formats in the document library.
   *
   * The most frequent formats come first. If more than 500,000 documents match, the formats are returned without
   * counts.
   */
  @Get('formats')
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(DocumentFormatPage)
  async formats(@Caller() caller: Principal, @Query() query: CountDocumentFormats): Promise<DocumentFormatPage> {
    const { data, counted } = await this.documents.listFormats(caller, query);
    return { data: [...data], has_more: false, next_cursor: null, counted };
  }

  /**
   * Adds and removes tags of documents.
   *
   * Tags in `remove` are removed before those in `add` are added. Tag groups that do not exist are created, and
   * groups without values are deleted. Ids of documents that do not exist or that you cannot edit are skipped.
   */
  @Post('actions/tag')
  @Named('tagDocuments')
  @Policy({ all: ['document:edit'], license: LICENSE })
  @Returns(TaggedDocuments, 'The numbers of changed and skipped documents.')
  @Problems('limit_reached')
  async tag(@Caller() caller: Principal, @FromBody() { file_ids, add, remove }: TagDocuments): Promise<TaggedDocuments> {
    const { changed, skipped } = await this.tags.changeDocuments(caller, file_ids, {
      ...(add ? { add } : {}),
      ...(remove ? { remove } : {}),
    });
    return { changed, skipped: [...skipped] };
  }

  /**
   * Reads a document with its folders.
   *
   * Deprecated documents can be read too.
   */
  @Get(':id')
  @HasId()
  @Policy({ any: ['document:view'], license: LICENSE })
  @ReturnsState(DocumentDetailView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<DocumentDetails> {
    return this.documents.get(caller, id);
  }

  /**
   * Reads the text of a document as markdown.
   *
   * Returns a signed URL, valid for 15 minutes, and the outline of the text; with `inline`, also a part of the text
   * itself. Until the text is available, the URL is null and `file_text_status` gives the reason.
   */
  @Get(':id/markdown')
  @HasId()
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(DocumentMarkdownView)
  @Problems('not_found')
  markdown(@Caller() caller: Principal, @PathId() id: string, @Query() query: ReadMarkdown): Promise<MarkdownAnswer> {
    return this.texts.getMarkdown(caller, id, query);
  }

  /**
   * Lists the passages of a document in order.
   *
   * Passages are the units that searches find and citations refer to.
   */
  @Get(':id/passages')
  @HasId()
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(DocumentPassagePage, 'A page of passages.')
  @Problems('not_found')
  passages(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListDocumentPassages): Promise<Page<SourcePassage>> {
    return this.texts.listPassages(caller, id, query);
  }

  /**
   * Extracts the text of a document again.
   *
   * Returns 202 with the job. If the text of the current version has already been extracted, returns 200 with the
   * document, unless `force` is set. The text of a deprecated document is extracted, but searches do not find it.
   */
  @Post(':id/extract')
  @Named('extractDocument')
  @HasId()
  @Policy({ all: ['document:edit'], license: LICENSE })
  @Returns(DocumentDetailView, 'The document, whose text has already been extracted.')
  @KeptAs((job: Partial<Job>) =>
    job.job_id === undefined ? undefined : { status: 202, body: job, headers: { Location: jobLocation({ job_id: job.job_id }) } },
  )
  @ApiResponse({
    status: 202,
    type: JobView,
    description: 'Accepted. Poll the job.',
    headers: { Location: { description: 'URL of the job.', schema: { type: 'string' } } },
  })
  @Problems('not_found', 'invalid_state')
  async extract(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { force }: ExtractDocument,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DocumentDetails | Job> {
    const job = await this.texts.startExtraction(caller, id, force ?? false);
    if (!job) return this.documents.get(caller, id);
    response.status(202).setHeader('Location', jobLocation(job));
    return job;
  }

  /**
   * Deprecates a document.
   *
   * It disappears from lists and searches unless they ask for deprecated documents; its file, versions, links and
   * text are kept. If the document is already deprecated, the reason and the successor are updated.
   */
  @Post(':id/deprecate')
  @Named('deprecateDocument')
  @HasId()
  @Policy({ all: ['document:edit'], license: LICENSE })
  @ReturnsState(DocumentDetailView, 'The document.')
  @Problems('not_found')
  async deprecate(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: DeprecateDocument): Promise<DocumentDetails> {
    await this.lifecycle.deprecate(caller, id, body);
    return this.documents.get(caller, id);
  }

  /**
   * Makes a deprecated document active again.
   *
   * Searches find it immediately if its passages are still indexed. An active document is left unchanged.
   */
  @Post(':id/restore')
  @Named('restoreDocument')
  @HasId()
  @Policy({ all: ['document:edit'], license: LICENSE })
  @ReturnsState(DocumentDetailView, 'The document.')
  @Problems('not_found')
  async restore(@Caller() caller: Principal, @PathId() id: string): Promise<DocumentDetails> {
    await this.lifecycle.restore(caller, id);
    return this.documents.get(caller, id);
  }
}
