import { Injectable } from '@nestjs/common';
import { invalidState, unknownReference } from '@atrium/platform/kernel';
import { ContentLibrariesRepository } from '../infrastructure/content-libraries.repository';

/** Libraries that requests name by their ids. */
@Injectable()
export class LibraryReferences {
  constructor(private readonly libraries: ContentLibrariesRepository) {}

  /** Keeps the active library until the unit of work ends, or refuses the field that names it. */
  async keepLibrary(field: string, lib_id: string): Promise<string> {
    const library = await this.libraries.keepActive(lib_id);
    if (!library) throw unknownReference(field, 'active content schema library');
    return library.lib_id;
  }

  /** The library with which sites begin that name none. */
  async getStandardId(): Promise<string> {
    const lib_id = await this.libraries.findStandardId();
    if (lib_id === undefined) throw invalidState('The workspace has no library Standard yet. Name a library in site_library.');
    return lib_id;
  }
}
