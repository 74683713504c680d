import { Injectable, type OnModuleInit } from '@nestjs/common';
import { WorkspaceStarts } from '@atrium/identity';
import { Clock, Ids } from '@atrium/platform/kernel';
import { STANDARD_SCHEMAS } from '../../content/domain/standard-library';
import { ContentLibrary } from '../domain/content-library';
import { ContentSchema } from '../domain/content-schema';
import { ContentLibrariesRepository } from '../infrastructure/content-libraries.repository';
import { ContentSchemasRepository } from '../infrastructure/content-schemas.repository';

const STANDARD = { lib_name: 'Standard', lib_description: 'Pages, articles and the usual blocks. Copy it to adapt it.' };

/** The library with which every workspace begins. */
@Injectable()
export class StandardLibrary implements OnModuleInit {
  constructor(
    private readonly libraries: ContentLibrariesRepository,
    private readonly schemas: ContentSchemasRepository,
    private readonly starts: WorkspaceStarts,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  onModuleInit(): void {
    this.starts.register({ context: 'website', setUpWorkspace: async () => void (await this.plant()) });
  }

  /** Its id. A workspace that a host of the release before has made gets it here. */
  async ensureStandard(): Promise<string> {
    const known = await this.libraries.findStandardId();
    if (known !== undefined) return known;
    await this.libraries.lockLibraryCount();
    return (await this.libraries.findStandardId()) ?? this.plant();
  }

  private async plant(): Promise<string> {
    const now = this.clock.now();
    const library = ContentLibrary.blank({ lib_id: this.ids.next(), ...STANDARD, lib_standard: true }, now);
    await this.libraries.insert(library);
    for (const schema of STANDARD_SCHEMAS)
      await this.schemas.insert(ContentSchema.blank({ tpl_id: this.ids.next(), tpl_library: library.lib_id, ...schema }, now));
    return library.lib_id;
  }
}
