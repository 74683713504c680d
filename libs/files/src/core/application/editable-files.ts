import { Injectable } from '@nestjs/common';
import type { Principal } from '@atrium/platform/access';
import type { Precondition } from '@atrium/platform/database';
import type { File } from '../domain/file';
import { FilesRepository } from '../infrastructure/files.repository';
import { FileAccess } from './file-access';
import { FileStatuses } from './file-statuses';

/** Live files, locked by somebody who may change them, unless their status forbids changes. Within a writing unit of work. */
@Injectable()
export class EditableFiles {
  constructor(
    private readonly files: FilesRepository,
    private readonly access: FileAccess,
    private readonly statuses: FileStatuses,
  ) {}

  async lockEditable(
    caller: Principal,
    file_id: string,
    { action = 'edit', precondition }: { readonly action?: 'edit' | 'delete'; readonly precondition?: Precondition | undefined } = {},
  ): Promise<File> {
    const file = await this.files.lock(file_id, precondition, (row) => this.access.assertLive(caller, row, action));
    await this.statuses.assertEditable(file);
    return file;
  }
}
