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
   * All filters must hold. Newest first unless `sort` says otherwise. Deprecated documents are left out unless
   * `lifecycle` asks for them or `file_id` names them; documents in a folder that is closed to the caller are never listed.
   * With `embedding_search` the most similar come first, whatever `sort` says, and no more than 1,000. When the text cannot be
   * embedded within three seconds, names and summaries that contain it are listed, newest first, and the header
   * `X-Search-Mode` is `text` instead of `meaning`.
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
   * Lists which formats the document library holds.
   *
   * By number of documents. A selection of more than 500,000 documents is not counted: its formats come without counts.
   */
  @Get('formats')
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(DocumentFormatPage)
  async formats(@Caller() caller: Principal, @Query() query: CountDocumentFormats): Promise<DocumentFormatPage> {
    const { data, counted } = await this.documents.formats(caller, query);
    return { data: [...data], has_more: false, next_cursor: null, counted };
  }

  /**
   * Takes tags off documents and puts others on.
   *
   * First `remove`, then `add`. A group that does not exist is made, a group without values left is removed. Ids that
   * name no document the caller may change are skipped.
   */
  @Post('actions/tag')
  @Named('tagDocuments')
  @Policy({ all: ['document:edit'], license: LICENSE })
  @Returns(TaggedDocuments, 'What was changed.')
  @Problems('limit_reached')
  async tag(@Caller() caller: Principal, @FromBody() { file_ids, add, remove }: TagDocuments): Promise<TaggedDocuments> {
    const { changed, skipped } = await this.tags.changeDocuments(caller, file_ids, {
      ...(add ? { add } : {}),
      ...(remove ? { remove } : {}),
    });
    return { changed, skipped: [...skipped] };
  }

  /**
   * Reads one document with the folders that hold it.
   *
   * Deprecated ones too.
   */
  @Get(':id')
  @HasId()
  @Policy({ any: ['document:view'], license: LICENSE })
  @ReturnsState(DocumentDetailView)
  one(@Caller() caller: Principal, @PathId() id: string): Promise<DocumentDetails> {
    return this.documents.one(caller, id);
  }

  /**
   * Reads the text of a document as markdown.
   *
   * A signed address, good for 15 minutes, with the outline of the text; `inline` answers a stretch of the text itself.
   * While there is no text the address is null and `file_text_status` says why.
   */
  @Get(':id/markdown')
  @HasId()
  @Policy({ any: ['document:view'], license: LICENSE })
  @Returns(DocumentMarkdownView)
  @Problems('not_found')
  markdown(@Caller() caller: Principal, @PathId() id: string, @Query() query: ReadMarkdown): Promise<MarkdownAnswer> {
    return this.texts.markdown(caller, id, query);
  }

  /**
   * Lists the passages of a document in their order: what searches find and citations point to.
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
   * Has the text of a document read again.
   *
   * 202 with the job. 200 with the document when the text of its current version is there already; `force` reads it
   * again all the same. The text of a deprecated document is read and not found by searches.
   */
  @Post(':id/extract')
  @Named('extractDocument')
  @HasId()
  @Policy({ all: ['document:edit'], license: LICENSE })
  @Returns(DocumentDetailView, 'The document: its text is there.')
  @KeptAs((job: Partial<Job>) =>
    job.job_id === undefined ? undefined : { status: 202, body: job, headers: { Location: jobLocation({ job_id: job.job_id }) } },
  )
  @ApiResponse({
    status: 202,
    type: JobView,
    description: 'Accepted; poll the job.',
    headers: { Location: { description: 'Where to read it.', schema: { type: 'string' } } },
  })
  @Problems('not_found', 'invalid_state')
  async extract(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { force }: ExtractDocument,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DocumentDetails | Job> {
    const job = await this.texts.extract(caller, id, force ?? false);
    if (!job) return this.documents.one(caller, id);
    response.status(202).setHeader('Location', jobLocation(job));
    return job;
  }

  /**
   * Deprecates a document.
   *
   * From then on no list or search finds it unless deprecated documents are asked for; its file, versions, links and
   * text are kept. Of a document that is deprecated already the reasons are replaced.
   */
  @Post(':id/deprecate')
  @Named('deprecateDocument')
  @HasId()
  @Policy({ all: ['document:edit'], license: LICENSE })
  @ReturnsState(DocumentDetailView, 'The document.')
  @Problems('not_found')
  async deprecate(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: DeprecateDocument): Promise<DocumentDetails> {
    await this.lifecycle.deprecate(caller, id, body);
    return this.documents.one(caller, id);
  }

  /**
   * Makes a deprecated document active again.
   *
   * Searches find it again at once while its passages are there. An active document stays as it is.
   */
  @Post(':id/restore')
  @Named('restoreDocument')
  @HasId()
  @Policy({ all: ['document:edit'], license: LICENSE })
  @ReturnsState(DocumentDetailView, 'The document.')
  @Problems('not_found')
  async restore(@Caller() caller: Principal, @PathId() id: string): Promise<DocumentDetails> {
    await this.lifecycle.restore(caller, id);
    return this.documents.one(caller, id);
  }
}
