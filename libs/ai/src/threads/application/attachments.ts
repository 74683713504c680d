import { Injectable } from '@nestjs/common';
import { HeldFiles, LISTED_REPO_TYPES, ReadableFiles } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { invalidFields } from '@atrium/platform/kernel';

/** Files that a message, or a question without a thread, has at most. */
export const MOST_ATTACHMENTS = 20;

/** Files that go with messages. */
@Injectable()
export class Attachments {
  constructor(
    private readonly files: ReadableFiles,
    private readonly held: HeldFiles,
  ) {}

  /**
   * Refuses files that the caller may not read, and those in the trash or in quarantine: to them all of these are unknown. They stay
   * until the unit of work ends. `pathOf`: the field of the request that names a file.
   */
  async assertReadable(caller: Principal, file_ids: readonly string[], pathOf: (file_id: string) => string): Promise<void> {
    const wanted = [...new Set(file_ids.map((id) => id.toLowerCase()))];
    if (wanted.length === 0) return;
    const found = await this.held.lockUsable(wanted, this.files.readableCondition(caller, LISTED_REPO_TYPES));
    const unknown = wanted.filter((id) => !found.has(id));
    if (unknown.length > 0)
      throw invalidFields(
        unknown.map((id) => ({ path: pathOf(id), code: 'reference', message: 'is not a file that you can view and attach' })),
      );
  }
}
