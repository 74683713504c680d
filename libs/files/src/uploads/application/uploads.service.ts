import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import { Database, listPage, sql, type ListParameters, type Page, type Precondition, type Versioned } from '@atrium/platform/database';
import { Clock, invalidField, notFound, Problem, resolveReference, type JsonObject } from '@atrium/platform/kernel';
import { readFileRepo, repoKey, repositoryOf, type Repository } from '../../core/domain/repositories';
import { Upload } from '../domain/upload';
import { partCount } from '../domain/upload-parts';
import { NO_LINKS, type PartLink, type UploadLinks } from '../domain/upload-links';
import { FilesRepository } from '../../core/infrastructure/files.repository';
import { UploadsRepository, type UploadRow } from '../infrastructure/uploads.repository';
import { FileAccess } from '../../core/application/file-access';
import { memberOf, openerOf } from '../../core/application/guests';
import { FileStatuses } from '../../core/application/file-statuses';
import { StorageAccount } from '../../versions/application/storage-account';
import { readMediaTags, UploadExtensions } from './uploads-extensions';
import { UploadPlans, type Opening, type PromisedBytes, type WantedUpload } from './upload-plans';
import { UploadStorage } from './uploads-storage';

const MOST_OPEN = 200;

export interface CheckedItem {
  readonly file_size: number;
  readonly file_hash: string;
}

export interface CheckOutcome {
  readonly exists: boolean;
  readonly file_id: string | null;
}

export type UploadAnswer = UploadRow & UploadLinks;

/**
 * Uploads up to their last byte: opening them, where the bytes go, what has arrived. The bytes themselves never pass
 * through here; clients write them to storage with signed addresses.
 */
@Injectable()
export class UploadsService {
  constructor(
    private readonly db: Database,
    private readonly uploads: UploadsRepository,
    private readonly files: FilesRepository,
    private readonly storage: UploadStorage,
    private readonly account: StorageAccount,
    private readonly access: FileAccess,
    private readonly extensions: UploadExtensions,
    private readonly statuses: FileStatuses,
    private readonly plans: UploadPlans,
    private readonly clock: Clock,
  ) {}

  /** `alongside`: what else is written in the unit of work that opens it. */
  async openUpload(
    caller: Principal,
    { file_repo, ...wanted }: WantedUpload,
    alongside?: (upload: Upload) => Promise<void>,
  ): Promise<UploadAnswer> {
    return this.begin(caller, { ...wanted, repository: readFileRepo(file_repo), namesFile: true }, alongside);
  }

  /** Opens an upload that becomes the next version of a file. */
  async openVersion(
    caller: Principal,
    file_id: string,
    { file_name, ...promised }: Omit<PromisedBytes, 'file_name'> & { readonly file_name?: string },
  ): Promise<UploadAnswer> {
    const file = await this.db.read(() => this.files.findRow(file_id));
    if (!file || file.isInTrash) throw notFound('file');
    return this.begin(caller, { ...promised, file_name: file_name ?? file.file_name, repository: file.repository, upl_file: file_id });
  }

  list(caller: Principal, query: ListParameters): Promise<Page<UploadRow>> {
    return this.db.read((tx) => listPage<UploadRow>(tx, Upload, query, { where: sql`r.upl_created_by = ${caller.user_id}` }));
  }

  /** What storage has received and the addresses are no part of its version. */
  async get(caller: Principal, id: string): Promise<UploadAnswer & Versioned> {
    const [upload, row] = await this.db.read(
      async () => [await this.uploads.findOwn(id, openerOf(caller)), await this.uploads.readUploadRow(id)] as const,
    );
    return { ...row, ...(await this.storage.createLinks(upload)), row_version: upload.row_version };
  }

  /** The answer to an upload that was opened before, with fresh addresses; without any when it takes no more bytes. */
  async resumeUpload(row: UploadRow): Promise<UploadAnswer> {
    const upload = await this.db.read(() => this.uploads.findRow(row.upl_id));
    return { ...row, ...(upload ? await this.storage.createLinks(upload, []) : NO_LINKS) };
  }

  /** Fresh addresses for these parts; keeps the upload for another day. */
  async createPartLinks(caller: Principal, id: string, parts: readonly number[]): Promise<{ upl_parts: PartLink[]; upl_expires: Date }> {
    const upload = await this.db.write(async () => {
      const own = await this.uploads.lockOwn(id, openerOf(caller));
      own.assertOpen();
      const most = own.upl_mode === 'multipart' ? partCount(own) : 0;
      if (parts.some((part) => part > most))
        throw invalidField(
          'parts',
          most === 0 ? 'is allowed only for multipart uploads; this one has no parts' : `must be between 1 and ${most}`,
          'too_large',
        );
      own.touch(this.clock);
      await this.uploads.save(own);
      return own;
    });
    return { upl_parts: await this.storage.signPartLinks(upload, [...new Set(parts)]), upl_expires: upload.upl_expires };
  }

  /** Gives the upload up; what was sent is deleted. One that has ended otherwise is left as it is. */
  async abortUpload(caller: Principal, id: string, precondition?: Precondition): Promise<void> {
    const aborted = await this.db.write(async () => {
      const upload = await this.uploads.lockOwn(id, openerOf(caller), precondition);
      if (upload.upl_state === 'aborted' || upload.upl_state === 'expired' || upload.upl_state === 'rejected') return null;
      upload.abort();
      await this.uploads.save(upload);
      this.account.releaseUpload(upload);
      await this.extensions.notifyEnded(upload);
      return upload;
    });
    if (aborted) await this.storage.dropBytes(aborted);
  }

  /** Which bytes the repository holds already, as far as the caller may see them: a hash is no proof of possession. */
  checkDuplicates(caller: Principal, file_repo: JsonObject, items: readonly CheckedItem[]): Promise<CheckOutcome[]> {
    const repository = readFileRepo(file_repo);
    return this.db.read(async () => {
      await this.access.assertNamed(caller, repository, 'upload');
      const known = new Map<string, string>();
      if (this.access.isAllowed(caller, repository, 'view')) {
        const held = await this.uploads.findHolders(
          repository,
          items.map((item) => ({ hash: item.file_hash, size: item.file_size })),
          this.access.readableCondition(caller, repository),
        );
        for (const file of held) if (!known.has(bytesKey(file))) known.set(bytesKey(file), file.file_id);
      }
      return items.map((item) => ({ exists: known.has(bytesKey(item)), file_id: known.get(bytesKey(item)) ?? null }));
    });
  }

  private async begin(caller: Principal, opening: Opening, alongside?: (upload: Upload) => Promise<void>): Promise<UploadAnswer> {
    const upload = this.plans.planUpload(caller, opening);
    if (upload.upl_mode === 'multipart') {
      upload.upl_key = await this.db.read(async () => {
        await this.admit(caller, opening);
        return this.plans.chooseKey(upload);
      });
      upload.upl_multipart_id = await this.storage.beginMultipart(upload.upl_key);
    }
    try {
      const row = await this.db.write(async () => {
        await this.admit(caller, opening);
        if (upload.upl_mode === 'single') upload.upl_key = await this.plans.chooseKey(upload);
        await this.uploads.insert(upload);
        await alongside?.(upload);
        await this.account.reserveUpload(upload);
        return this.uploads.readUploadRow(upload.upl_id);
      });
      return { ...row, ...(await this.storage.createLinks(upload, [])) };
    } catch (error) {
      if (upload.upl_multipart_id !== null) await this.storage.dropBytes(upload).catch(() => undefined);
      throw error;
    }
  }

  /** What the rows say: rights, the file to be replaced, the extras, the caller's other uploads. */
  private async admit(caller: Principal, opening: Opening): Promise<void> {
    const { repository, upl_file, namesFile = false, upl_on_duplicate, album_ids = [], media_tags } = opening;
    const admitVersion = (file_id: string): Promise<void> => this.admitVersion(caller, file_id, repository);
    if (upl_file) await (namesFile ? resolveReference('upl_file', 'file', () => admitVersion(upl_file)) : admitVersion(upl_file));
    else await this.access.assertNamed(caller, repository, 'upload');
    if (upl_on_duplicate === 'version' && !upl_file) await this.access.assertRepository(caller, repository, 'edit');
    await this.extensions.validateExtras(caller, repository, { album_ids, media_tags: readMediaTags(media_tags) });
    const member = memberOf(caller);
    if (member !== null && (await this.uploads.countOpen(member)) >= MOST_OPEN)
      throw new Problem('limit_reached', `You have ${MOST_OPEN} open uploads. Finalize or abort some of them first.`);
  }

  private async admitVersion(caller: Principal, upl_file: string, repository: Repository): Promise<void> {
    const file = await this.files.findRow(upl_file);
    if (!file || file.isInTrash) throw notFound('file');
    await this.access.assertFile(caller, file, 'edit');
    await this.statuses.assertEditable(file);
    if (repoKey(repositoryOf(file)) !== repoKey(repository))
      throw invalidField('file_repo', 'must be the repository of the file in upl_file', 'mismatch');
  }
}

const bytesKey = ({ file_hash, file_size }: CheckedItem): string => `${file_hash}:${file_size}`;
