import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FileReferences, type KnownReferences } from '@atrium/files';
import type { Principal } from '@atrium/platform/access';
import { ContentSchemasRepository } from '../infrastructure/content-schemas.repository';

const MOST_NAMED = 100;

/** Content schemas whose preview a file is: they do not keep it from being removed. */
@Injectable()
export class SchemaPreviews implements OnModuleInit {
  constructor(
    private readonly schemas: ContentSchemasRepository,
    private readonly files: FileReferences,
  ) {}

  onModuleInit(): void {
    this.files.register({ referencesTo: (caller, file_id) => this.referencesTo(caller, file_id) });
  }

  private async referencesTo(caller: Principal, file_id: string): Promise<KnownReferences> {
    const found = await this.schemas.listPreviewedBy(file_id, MOST_NAMED);
    if (!caller.permissions.has('content:view')) return { data: [], hidden: found.length };
    const data = found.map(({ tpl_id, tpl_name }) => ({
      ref_type: 'content_schema',
      ref_id: tpl_id,
      ref_name: tpl_name,
      ref_detail: 'tpl_preview_file',
      ref_blocking: false,
    }));
    return { data, hidden: 0 };
  }
}
