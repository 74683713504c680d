import { Injectable } from '@nestjs/common';
import { WorkspaceStores } from '@atrium/governance';
import type { Principal } from '@atrium/platform/access';
import { Settings } from '@atrium/platform/config';
import { requireScope } from '@atrium/platform/database';
import { Clock, Ids, invalidField, Problem, type JsonObject } from '@atrium/platform/kernel';
import { blobKey, stagingKey } from '../../blobs/domain/blob';
import { fileName } from '../../core/domain/file-name';
import type { Repository } from '../../core/domain/repositories';
import { Upload } from '../domain/upload';
import { comesInParts, MULTIPART_FROM } from '../domain/upload-parts';
import { isExecutableName } from '../../inspection/infrastructure';
import { memberOf, sourceOf } from '../../core/application/guests';
import { readMediaTags } from './uploads-extensions';

/** What a client promises of bytes that are to come. */
export interface PromisedBytes {
  readonly file_name: string;
  readonly file_size: number;
  readonly file_type?: string | null;
  readonly file_hash?: string | null;
  readonly fv_note?: string | null;
  readonly upl_multipart?: boolean;
}

export interface WantedUpload extends PromisedBytes {
  readonly file_repo: JsonObject;
  readonly file_metadata?: JsonObject;
  readonly album_ids?: readonly string[];
  readonly media_tags?: JsonObject;
  readonly upl_file?: string | null;
  readonly upl_on_duplicate?: Upload['upl_on_duplicate'];
}

/** A wanted upload whose repository was read. */
export interface Opening extends Omit<WantedUpload, 'file_repo'> {
  readonly repository: Repository;
  /** Whether `upl_file` was named by the body, not by the path. */
  readonly namesFile?: boolean;
}

/** What an upload is going to be: in one piece or in parts, under which name, and where its bytes go. */
@Injectable()
export class UploadPlans {
  constructor(
    private readonly stores: WorkspaceStores,
    private readonly settings: Settings,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** Where the bytes go: to the provider that is the default now; parts are joined where the bytes stay. */
  async chooseKey({ upl_id, upl_mode }: Upload): Promise<string> {
    const { tenant_id } = requireScope();
    const home = await this.stores.findHomeProvider();
    return upl_mode === 'multipart' ? blobKey(tenant_id, upl_id, home) : stagingKey(tenant_id, upl_id, home);
  }

  /** An upload as it is opened, refused when such bytes are never taken. */
  planUpload(caller: Principal, opening: Opening): Upload {
    const { file_size, file_hash = null, file_type = null, upl_on_duplicate = 'keep', repository } = opening;
    const name = this.allowedName(opening.file_name);
    if (file_size > this.settings.UPLOAD_MAX_BYTES)
      throw new Problem('payload_too_large', `An upload can have at most ${this.settings.UPLOAD_MAX_BYTES} bytes.`);
    if (upl_on_duplicate === 'skip' && !file_hash && file_size >= MULTIPART_FROM)
      throw invalidField('file_hash', 'is required to skip duplicates for uploads of 64 MiB or more', 'required');
    return Upload.opened(
      {
        upl_id: this.ids.next(),
        repository,
        multipart: comesInParts(file_size, opening.upl_multipart ?? false),
        file_name: name,
        file_type: bareType(file_type),
        file_size,
        file_hash,
        file_metadata: opening.file_metadata ?? {},
        upl_file: opening.upl_file ?? null,
        upl_on_duplicate,
        album_ids: [...(opening.album_ids ?? [])],
        media_tags: readMediaTags(opening.media_tags),
        upl_note: opening.fv_note ?? null,
        upl_created_by: memberOf(caller),
        upl_source: sourceOf(caller),
      },
      this.clock,
    );
  }

  private allowedName(given: string): string {
    const name = fileName(given);
    if (!this.settings.UPLOAD_ALLOW_EXECUTABLES && isExecutableName(name))
      throw invalidField('file_name', 'is the name of a program; programs are not accepted', 'blocked_type');
    return name;
  }
}

/** A type without its parameters. */
const bareType = (type: string | null): string | null => type?.split(';')[0]?.trim().toLowerCase() ?? null;
