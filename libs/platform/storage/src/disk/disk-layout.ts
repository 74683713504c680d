import { randomBytes } from 'node:crypto';
import { join, resolve, sep } from 'node:path';
import { requireKey, requirePart } from '../keys';
import { UploadMissing } from '../object-store';

const UPLOAD_ID = /^[0-9a-f]{32}$/;
const SUFFIX = '.bin';

/**
 * The one place where keys become paths. Every path is checked to be under the root. An object's file ends in
 * `.bin`, which no key can contain, so that `a` and `a/b` may both exist.
 */
export class DiskLayout {
  readonly objects: string;
  readonly uploads: string;
  readonly temporary: string;

  constructor(root: string) {
    const base = resolve(root);
    this.objects = join(base, 'objects');
    this.uploads = join(base, 'uploads');
    this.temporary = join(base, 'temporary');
  }

  objectPath(key: string): string {
    return this.within(this.objects, `${requireKey(key)}${SUFFIX}`);
  }

  /** The key of a file found under `objects`, or null for what is no object. */
  keyOf(path: string): string | null {
    if (!path.endsWith(SUFFIX)) return null;
    return path
      .slice(this.objects.length + 1, -SUFFIX.length)
      .split(sep)
      .join('/');
  }

  folderPath(prefix: string): string {
    return prefix === '' ? this.objects : this.within(this.objects, requireKey(prefix));
  }

  newUploadId(): string {
    return randomBytes(16).toString('hex');
  }

  uploadPath(uploadId: string): string {
    if (!UPLOAD_ID.test(uploadId)) throw new UploadMissing(uploadId);
    return this.within(this.uploads, uploadId);
  }

  partPath(uploadId: string, part: number): string {
    return join(this.uploadPath(uploadId), `${requirePart(part)}`.padStart(5, '0'));
  }

  /** The file of an upload that names its key. */
  uploadKey(uploadId: string): string {
    return join(this.uploadPath(uploadId), 'key');
  }

  newTemporary(): string {
    return join(this.temporary, randomBytes(16).toString('hex'));
  }

  private within(base: string, relative: string): string {
    const path = resolve(base, relative);
    if (!path.startsWith(base + sep)) throw new RangeError('A path leaves the store.');
    return path;
  }
}
