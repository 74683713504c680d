import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { Database } from '@atrium/platform/database';
import { HOUR, invalidField, MINUTE, Problem, type JsonObject } from '@atrium/platform/kernel';
import { GuardedHttp, type OutboundStream } from '@atrium/platform/outbound';
import { optionalTextIn, textIn, type FileJobBatch } from '../bulk/domain/file-job';
import { fileName } from '../core/domain/file-name';
import { importedName } from './import-name';
import { readFileRepo, repositoryOf } from '../core/domain/repositories';
import { isExecutableName } from '../inspection/infrastructure';
import { FileJobsRepository } from '../bulk/infrastructure/file-jobs.repository';
import { FileAccess } from '../core/application/file-access';
import { FileImports, type ImportedBytes } from './file-imports';
import { UPLOAD } from '../core/application/route-permissions';
import { defineFileJob } from '../bulk/application/file-job-definition';
import { FileJobKinds, type FileJobStep } from '../bulk/application/file-job-kinds';
import { FileJobs, type FileJobRow } from '../bulk/application/file-jobs.service';
import { readMediaTags, UploadExtensions } from '../uploads/application/uploads-extensions';

/** An address whose bytes are to become a file. */
export interface WantedImport {
  readonly file_repo: JsonObject;
  readonly source_url: string;
  readonly file_name?: string | null;
  readonly album_ids?: readonly string[];
  readonly media_tags?: JsonObject;
}

const KIND = defineFileJob('import', { seenWith: UPLOAD });
const MOST_REDIRECTS = 5;
const SLOWEST = { body: MINUTE, total: 6 * HOUR };
const OK = 200;

/**
 * Imports the file at a web address. Every address of a redirect is checked before it is connected to, the bytes
 * are bounded while they stream, and the file is made once however often the work is done again.
 */
@Injectable()
export class UrlImports implements OnModuleInit {
  constructor(
    private readonly db: Database,
    private readonly http: GuardedHttp,
    private readonly access: FileAccess,
    private readonly extensions: UploadExtensions,
    private readonly imports: FileImports,
    private readonly jobs: FileJobs,
    private readonly rows: FileJobsRepository,
    private readonly kinds: FileJobKinds,
    private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.kinds.register({ kind: KIND, runStep: (step) => this.step(step) });
  }

  startImport(caller: Principal, { file_repo, source_url, file_name, album_ids = [], media_tags }: WantedImport): Promise<FileJobRow> {
    const repository = readFileRepo(file_repo);
    const tags = readMediaTags(media_tags);
    assertAddress(source_url);
    const name = file_name == null ? null : fileName(file_name);
    if (name !== null && !this.settings.UPLOAD_ALLOW_EXECUTABLES && isExecutableName(name))
      throw invalidField('file_name', 'is the name of a program; programs are not accepted', 'blocked_type');
    return this.db.write(async () => {
      await this.access.assertNamed(caller, repository, 'upload');
      await this.extensions.validateExtras(caller, repository, { album_ids, media_tags: tags });
      const params: JsonObject = {
        repo_type: repository.type,
        repo_id: repository.id,
        source_url,
        file_name: name,
        album_ids: [...album_ids],
        media_tags: { ...tags },
      };
      return this.jobs.startJob(caller, { kind: KIND, params, total: 1 });
    });
  }

  private async step({ job_id, params, caller, signal }: FileJobStep): Promise<FileJobBatch> {
    const before = await this.madeBy(job_id);
    if (before !== null) return doneWith(before);
    const repository = repositoryOf({ repo_type: textIn(params, 'repo_type'), repo_id: optionalTextIn(params, 'repo_id') });
    // Who may not upload there any more has nothing fetched.
    await this.db.read(() => this.access.assertRepository(caller, repository, 'upload'));
    const source_url = textIn(params, 'source_url');
    const answer = await this.fetch(source_url, signal);
    const type = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase() || null;
    const named =
      optionalTextIn(params, 'file_name') ?? importedName({ url: answer.url, type, disposition: answer.headers['content-disposition'] });
    const bytes: ImportedBytes = {
      repository,
      file_name: named,
      stream: answer.body,
      file_type: type && MIME.test(type) ? type : null,
      album_ids: (params.album_ids ?? []) as string[],
      media_tags: readMediaTags(params.media_tags as JsonObject),
      source: { kind: KIND.name, ref: shownAddress(source_url) },
      with: ({ file_id }) => this.keep(job_id, file_id),
    };
    try {
      return doneWith((await this.imports.importStream(caller, bytes)).file_id);
    } catch (error) {
      const made = await this.madeBy(job_id);
      if (made === null) throw error;
      return doneWith(made);
    }
  }

  /** The file of the job, when this or another run of it has made one. */
  private async madeBy(job_id: string): Promise<string | null> {
    const made = (await this.db.read(() => this.rows.findRow(job_id)))?.result?.file_id;
    return typeof made === 'string' ? made : null;
  }

  private async fetch(address: string, signal: AbortSignal): Promise<OutboundStream> {
    const answer = await this.http.openStream(address, {
      signal,
      redirects: MOST_REDIRECTS,
      maxBytes: this.settings.UPLOAD_MAX_BYTES,
      timeouts: SLOWEST,
    });
    if (answer.status === OK) return answer;
    answer.body.destroy();
    throw new Problem('unprocessable_content', `The server responded with status ${answer.status}.`);
  }

  /** The job knows its file from the very moment there is one. */
  private async keep(job_id: string, file_id: string): Promise<void> {
    const job = await this.rows.lock(job_id);
    if (job.isFinished) throw new Problem('invalid_state', 'The import was cancelled.');
    if (typeof job.result?.file_id === 'string')
      throw new Problem('invalid_state', 'Another run of the import has already created the file.');
    job.result = { ...job.result, file_id };
    await this.rows.save(job);
  }
}

const MIME = /^[a-z0-9][\w!#$&^.+-]*\/[a-z0-9][\w!#$&^.+-]*$/;

const doneWith = (file_id: string): FileJobBatch => ({ checkpoint: null, done: 1, failed: 0, errors: [], result: { file_id } });

function assertAddress(source_url: string): void {
  const url = URL.canParse(source_url) ? new URL(source_url) : null;
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw invalidField('source_url', 'must be an address that starts with https://', 'url');
  if (url.username !== '' || url.password !== '') throw invalidField('source_url', 'must not contain a user name or password', 'url');
}

/** Without what may be a secret of its query. */
function shownAddress(source_url: string): string {
  const { origin, pathname } = new URL(source_url);
  return `${origin}${pathname}`.slice(0, 1_000);
}
