import type { Principal } from '@atrium/platform/access';
import type { Database } from '@atrium/platform/database';
import { notFound, type Clock } from '@atrium/platform/kernel';
import type { FilesRepository } from '../../core/infrastructure/files.repository';
import type { UploadsRepository } from '../infrastructure/uploads.repository';
import type { FileAccess } from '../../core/application/file-access';
import type { FileStatuses } from '../../core/application/file-statuses';
import type { StorageAccount } from '../../versions/application/storage-account';
import type { UploadExtensions } from './uploads-extensions';
import type { UploadPlans } from './upload-plans';
import type { UploadStorage } from './uploads-storage';
import { UploadsService } from './uploads.service';

const caller = { tenant_id: 't', user_id: 'u' } as Principal;
const MEDIA = { type: 'media', id: null };
const WANTED = { file_repo: { library: ['media'] }, file_name: 'x.bin', file_size: 1, upl_file: 'f' };

/** Uploads in parts, in a workspace with one file whose storage is gone. */
function uploadsWith(file: object | null): UploadsService {
  const nothing = (): Promise<void> => Promise.resolve();
  return new UploadsService(
    { read: (work: () => unknown) => work(), write: (work: () => unknown) => work() } as unknown as Database,
    { countOpen: () => Promise.resolve(0) } as unknown as UploadsRepository,
    { findRow: () => Promise.resolve(file) } as unknown as FilesRepository,
    { beginMultipart: () => Promise.reject(notFound('storage provider')) } as unknown as UploadStorage,
    {} as StorageAccount,
    { assertFile: nothing, assertNamed: nothing } as unknown as FileAccess,
    { validateExtras: nothing } as unknown as UploadExtensions,
    { assertEditable: nothing } as unknown as FileStatuses,
    {
      planUpload: () => ({ upl_mode: 'multipart', upl_multipart_id: null }),
      chooseKey: () => Promise.resolve('key'),
    } as unknown as UploadPlans,
    {} as Clock,
  );
}

describe('a new version of a file', () => {
  const stored = { isInTrash: false, file_name: 'x.bin', repo_type: 'media', repo_id: null, repository: MEDIA };

  it('is refused by the field of the body that names no file, and by the path otherwise', async () => {
    const uploads = uploadsWith(null);
    await expect(uploads.openUpload(caller, WANTED)).rejects.toMatchObject({ errors: [{ path: 'upl_file', code: 'reference' }] });
    await expect(uploads.openVersion(caller, 'f', { file_size: 1 })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('says nothing of the file where something else is missing', async () => {
    await expect(uploadsWith(stored).openUpload(caller, WANTED)).rejects.toMatchObject({
      code: 'not_found',
      detail: 'No such storage provider in this workspace.',
    });
  });
});
