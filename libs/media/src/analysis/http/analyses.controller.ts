import { Body as FromBody, Controller, Delete, Get, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller, Named, Policy, type Principal } from '@atrium/platform/access';
import type { Page, Precondition } from '@atrium/platform/database';
import { Deletes, HasId, HonoursIfMatch, IfMatch, KeptAs, PathId, Problems, Returns, ReturnsResource, Starts } from '@atrium/platform/http';
import { Analyses, type AnalysisRow } from '../application/analyses.service';
import { BulkAnalyses, type AnalysisJob } from '../application/analysis-bulk';
import { AnalysisRequests, type AnalysisTaken } from '../application/analysis-requests';
import {
  AnalysisJobView,
  AnalyzeFiles,
  CorrectAnalysis,
  FileAnalysisPage,
  FileAnalysisView,
  ListAnalysesOfFile,
  ListFileAnalyses,
  RequestAnalysis,
} from './analyses.dto';

@ApiTags('File analysis')
@Controller('files')
export class FilesAnalysisController {
  constructor(
    private readonly analyses: Analyses,
    private readonly requests: AnalysisRequests,
    private readonly bulk: BulkAnalyses,
  ) {}

  /**
   * Analyzes many files in the background.
   *
   * Credits for all of them are reserved before the job starts (402 if they are insufficient), and unused credits are released. Each
   * picture is charged only once, even if the job is interrupted.
   */
  @Post('actions/analyze')
  @Policy({ any: ['media:edit'] })
  @Starts(AnalysisJobView, 'file-jobs/{job_id}')
  @Problems('not_configured', 'credits_exhausted', 'invalid_state')
  analyze(@Caller() caller: Principal, @FromBody() body: AnalyzeFiles): Promise<AnalysisJob> {
    return this.bulk.startBulk(caller, body);
  }

  /**
   * Analyzes a file.
   *
   * An existing analysis of this version of the file and of the schema is returned with 200, unless `force` requests a new one. One in
   * progress is returned with 202; if a file job started it, it is part of that job and is not listed by `GET /jobs`: poll the `Location`.
   * Without a vision model, only the fields that need none are filled and the result is `partial`; 501 if every field of the schema
   * needs a model.
   */
  @Post(':id/analysis')
  @Named('analyzeFile')
  @Policy({ any: ['media:edit'] })
  @HasId('id', 'Id of the file.')
  @Starts(FileAnalysisView, 'file-analyses/{fa_id}')
  @ApiOkResponse({ type: FileAnalysisView, description: 'The existing analysis.' })
  @KeptAs(({ analysis, started }: Partial<AnalysisTaken>) => analysis && { status: started ? 202 : 200, body: analysis })
  @Problems('not_configured', 'credits_exhausted', 'invalid_state')
  async request(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() body: RequestAnalysis,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AnalysisRow> {
    const { analysis, started } = await this.requests.requestAnalysis(caller, id, body);
    if (!started) response.status(200);
    return analysis;
  }

  /**
   * Lists the current analyses of a file.
   *
   * Contains the current analysis for each schema and the analyses in progress. `GET /file-analyses` lists the history.
   */
  @Get(':id/analysis')
  @Named('listAnalysesOfFile')
  @Policy({ any: ['media:view'] })
  @HasId('id', 'Id of the file.')
  @Returns(FileAnalysisPage, 'A page of analyses.')
  ofFile(@Caller() caller: Principal, @PathId() id: string, @Query() query: ListAnalysesOfFile): Promise<Page<AnalysisRow>> {
    return this.analyses.listAnalysesOfFile(caller, id, query);
  }
}

@ApiTags('File analysis')
@Controller('file-analyses')
export class AnalysesController {
  constructor(private readonly analyses: Analyses) {}

  /**
   * Lists analyses, including their history.
   *
   * Sorted by creation time, newest first. `fa_live=true` excludes the history.
   */
  @Get()
  @Policy({ any: ['media:view'] })
  @Returns(FileAnalysisPage, 'A page of analyses.')
  list(@Caller() caller: Principal, @Query() query: ListFileAnalyses): Promise<Page<AnalysisRow>> {
    return this.analyses.list(caller, query);
  }

  /**
   * Reads one analysis; poll it until it is completed, partial, failed or cancelled.
   */
  @Get(':id')
  @Policy({ any: ['media:view'] })
  @HasId('id', 'Id of the analysis.')
  @ReturnsResource(FileAnalysisView)
  get(@Caller() caller: Principal, @PathId() id: string): Promise<AnalysisRow> {
    return this.analyses.get(caller, id);
  }

  /**
   * Corrects values of an analysis.
   *
   * Values are validated against the schema. Corrected fields are listed in `fa_edited` and are kept by every later analysis; the
   * values that the model returned are in `fa_machine`.
   */
  @Patch(':id')
  @Policy({ all: ['media:edit'] })
  @HasId('id', 'Id of the analysis.')
  @HonoursIfMatch()
  @ReturnsResource(FileAnalysisView)
  @Problems('invalid_state', 'precondition_failed')
  correct(
    @Caller() caller: Principal,
    @PathId() id: string,
    @FromBody() { fa_result }: CorrectAnalysis,
    @IfMatch() precondition?: Precondition,
  ): Promise<AnalysisRow> {
    return this.analyses.correctAnalysis(caller, id, fa_result, precondition);
  }

  /**
   * Deletes an analysis, or cancels one in progress.
   *
   * If the current analysis is deleted, the previous one becomes current again. Model calls that have been made are charged.
   */
  @Delete(':id')
  @Policy({ all: ['media:edit'] })
  @HasId('id', 'Id of the analysis.')
  @HonoursIfMatch()
  @Deletes()
  @Problems('precondition_failed')
  remove(@Caller() caller: Principal, @PathId() id: string, @IfMatch() precondition?: Precondition): Promise<void> {
    return this.analyses.remove(caller, id, precondition);
  }
}
