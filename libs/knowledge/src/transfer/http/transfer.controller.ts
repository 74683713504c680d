import { Body as FromBody, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { ImportPreview } from '@atrium/imports';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import { API_PREFIX, HasId, KeptAs, PathId, Problems, Returns, Starts } from '@atrium/platform/http';
import type { Response } from 'express';
import { KnowledgeJobView } from '../../work/http/jobs.dto';
import { keptJob, newJob, type JobAnswer, type JobRow } from '../../work/application/jobs.service';
import { ExportsService } from '../application/exports.service';
import { ImportPreviews } from '../application/import-preview.service';
import { ImportsService } from '../application/imports.service';
import { ExportedFileView, ExportKnowledge, ImportPreviewView, ImportRecords, PreviewImport } from './transfer.dto';

/** Imports and exports of knowledge bases. */
@ApiTags('Knowledge base records')
@Controller('knowledge-bases/:id')
export class KnowledgeTransferController {
  constructor(
    private readonly imports: ImportsService,
    private readonly previews: ImportPreviews,
    private readonly exports: ExportsService,
  ) {}

  /**
   * Previews an import.
   *
   * Returns the columns, the field that each column name suggests, and the first rows. Nothing is stored. If the
   * header is incomplete, the request fails with 400 and names the columns.
   */
  @Post('records/import/preview')
  @HttpCode(200)
  @Named('previewKnowledgeImport')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the knowledge base.')
  @Returns(ImportPreviewView, 'The columns and rows read.')
  @Problems('invalid_state', 'payload_too_large', 'unprocessable_content')
  preview(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: PreviewImport): Promise<ImportPreview> {
    return this.previews.previewImport(caller, id, body);
  }

  /**
   * Imports records from a table in the background.
   *
   * The table is a csv, tsv, xlsx, jsonl or json file of the base, or up to 1,000 rows in the request; at most 50 MB,
   * 100,000 rows and 500 columns. Cells are read by the types of the fields, the locale and the time zone of the
   * workspace; ambiguous numbers, dates and times are rejected. Invalid rows are skipped and listed in the report of
   * the job, with column and reason: at most 50 faults of a row and 10,000 of an import; the report says how many others
   * there are. A row of JSON can have at most 500 columns and 10,000 different names, those in nested objects included.
   * Records that already match their row are not changed, so repeating an import with `upsert` changes nothing.
   */
  @Post('records/import')
  @Named('importKnowledgeRecords')
  @Policy({ all: ['knowledge-base:write'] })
  @HasId('id', 'Id of the knowledge base.')
  @Starts(KnowledgeJobView, 'knowledge-bases/{job_base}/jobs/{job_id}')
  @KeptAs(keptJob)
  @Problems('invalid_state', 'payload_too_large', 'unprocessable_content')
  async import(@Caller() caller: Principal, @PathId() id: string, @FromBody() body: ImportRecords): Promise<JobAnswer> {
    const { mode = 'insert', on_error = 'skip', ...order } = body;
    return newJob(await this.imports.startImport(caller, id, { ...order, mode, on_error }));
  }

  /**
   * Exports all records of a knowledge base, without deleted ones.
   *
   * For up to 20,000 records with up to 64 MB of content as it is stored, the response contains the URL of the file. Larger
   * exports run in the background: the response is 202 with the job, whose `result` is the same object. An export ends
   * with `invalid_state` if the base is given another schema in the meantime. An import can read the file; the column
   * names match. In a csv, cells that a spreadsheet would execute begin with an apostrophe, which the import removes.
   */
  @Post('export')
  @HttpCode(200)
  @Named('exportKnowledgeBase')
  @KeptAs((job: Partial<JobRow>) => (job.status === 'queued' ? keptJob(job) : undefined))
  @Policy({ any: ['knowledge-base:view'] })
  @HasId('id', 'Id of the knowledge base.')
  @Returns(ExportedFileView, 'The file.')
  @ApiResponse({
    status: 202,
    type: KnowledgeJobView,
    description: 'Accepted. Poll the job.',
    headers: { Location: { description: 'Address of the job.', schema: { type: 'string' } } },
  })
  @Problems('invalid_state')
  async export(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { format = 'jsonl' }: ExportKnowledge,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | null> {
    const taken = await this.exports.startExport(caller, id, format);
    if ('file' in taken) return taken.file;
    response.status(202).setHeader('Location', `/${API_PREFIX}/knowledge-bases/${id}/jobs/${taken.job.job_id}`);
    return newJob(taken.job);
  }
}
