import { Injectable } from '@nestjs/common';
import { unknownReference } from '@atrium/platform/kernel';
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

  /** The active library, locked until the unit of work ends, for a change of its schemas. */
  async lockOpen(field: string, lib_id: string): Promise<void> {
    const [library] = await this.libraries.lockMany([lib_id]);
    if (!library?.lib_active) throw unknownReference(field, 'active content schema library');
    library.assertChangeable();
  }

  /** The library of a schema, locked until the unit of work ends, for a change of the schema. */
  async lockLibrary(lib_id: string): Promise<void> {
    const library = await this.libraries.lock(lib_id);
    library.assertChangeable();
    this.libraries.assertActive(library);
  }
}
