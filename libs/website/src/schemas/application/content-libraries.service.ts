import { Injectable } from '@nestjs/common';
import { Audit, changesBetween, defineAuditTypes, type Principal } from '@atrium/platform/access';
import { Database, violatesConstraint, type ListParameters, type Page, type Precondition } from '@atrium/platform/database';
import { Clock, Ids, notFound, pick, Problem, type JsonObject } from '@atrium/platform/kernel';
import { ContentLibrary, libraryNameTaken, MOST_LIBRARIES, tooManyLibraries } from '../domain/content-library';
import { ContentLibrariesRepository, type LibraryRow, type VersionedLibraryRow } from '../infrastructure/content-libraries.repository';
import { ContentSchemasRepository } from '../infrastructure/content-schemas.repository';

export type { LibraryRow, VersionedLibraryRow };

/** What is kept of changes to libraries. */
const LIBRARIES_AUDIT = defineAuditTypes({
  'content_library.created': 'A content schema library was created or copied.',
  'content_library.updated': 'A content schema library was changed, activated or deactivated.',
});

export interface LibraryFacts {
  readonly lib_name?: string;
  readonly lib_description?: string | null;
  readonly lib_active?: boolean;
}

export interface LibraryFilters extends ListParameters {
  readonly lib_active?: boolean;
}

const NAMED_SITES = 10;
const SHOWN = ['lib_name', 'lib_description', 'lib_active'] as const;

/** The libraries of content schemas of a workspace. */
@Injectable()
export class ContentLibrariesService {
  constructor(
    private readonly db: Database,
    private readonly libraries: ContentLibrariesRepository,
    private readonly schemas: ContentSchemasRepository,
    private readonly audit: Audit,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  list(caller: Principal, { lib_active = true, ...query }: LibraryFilters): Promise<Page<LibraryRow>> {
    return this.db.read(() => this.libraries.listLibraries(caller, query, lib_active));
  }

  get(caller: Principal, lib_id: string): Promise<VersionedLibraryRow> {
    return this.db.read(() => this.read(caller, lib_id));
  }

  create(
    caller: Principal,
    { lib_name, lib_description = null }: LibraryFacts & { readonly lib_name: string },
  ): Promise<VersionedLibraryRow> {
    return this.runWithUniqueName(lib_name, () =>
      this.db.write(async () => {
        const library = ContentLibrary.blank({ lib_id: this.ids.next(), lib_name, lib_description }, this.clock.now());
        await this.insert(library);
        return this.read(caller, library.lib_id);
      }),
    );
  }

  change(caller: Principal, lib_id: string, facts: LibraryFacts, precondition?: Precondition): Promise<VersionedLibraryRow> {
    return this.runWithUniqueName(facts.lib_name ?? '', () =>
      this.db.write(async () => {
        const library = await this.libraries.lockToChange(lib_id, facts, precondition, (row) => row.assertChangeable());
        const before = shown(library);
        const { lib_active: was } = library;
        Object.assign(library, Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)));
        if (was && !library.lib_active) await this.assertUnused(caller, library);
        if (!was && library.lib_active) await this.assertRoom();
        await this.save(library, before);
        return this.read(caller, lib_id);
      }),
    );
  }

  /** Its schemas stay, and with them what pages have of them; the library can be activated again. */
  deactivate(caller: Principal, lib_id: string, precondition?: Precondition): Promise<void> {
    return this.db.write(async () => {
      const library = await this.libraries.lockToDelete(lib_id, precondition, (row) => row.assertChangeable());
      if (!library) return;
      const before = shown(library);
      library.lib_active = false;
      await this.assertUnused(caller, library);
      await this.save(library, before);
    });
  }

  /** A library of the workspace with copies of all active schemas; what they are at a CMS is not copied. */
  copy(caller: Principal, lib_id: string, lib_name: string): Promise<VersionedLibraryRow> {
    return this.runWithUniqueName(lib_name, () =>
      this.db.write(async () => {
        const original = await this.libraries.keepActive(lib_id);
        if (!original) throw notFound('active content schema library');
        const now = this.clock.now();
        const copy = ContentLibrary.blank({ lib_id: this.ids.next(), lib_name, lib_description: original.lib_description }, now);
        await this.insert(copy);
        const ids = await this.schemas.listActiveIds(lib_id);
        await this.schemas.copySchemas(
          ids.map((id) => [id, this.ids.next()] as const),
          copy.lib_id,
          now,
        );
        return this.read(caller, copy.lib_id);
      }),
    );
  }

  private async insert(library: ContentLibrary): Promise<void> {
    await this.assertRoom();
    await this.libraries.insert(library);
    this.audit.record({
      type: LIBRARIES_AUDIT['content_library.created'],
      target: targetOf(library),
      ...changesBetween(null, shown(library)),
    });
  }

  private async save(library: ContentLibrary, before: JsonObject): Promise<void> {
    const { before: old, after: now } = changesBetween(before, shown(library));
    if (Object.keys(now ?? {}).length === 0) return;
    library.touch(this.clock);
    await this.libraries.save(library);
    this.audit.record({ type: LIBRARIES_AUDIT['content_library.updated'], target: targetOf(library), before: old, after: now });
  }

  private async assertRoom(): Promise<void> {
    await this.libraries.lockLibraryCount();
    if (await this.libraries.hasAtLeast(MOST_LIBRARIES)) throw tooManyLibraries();
  }

  /** A deleted site counts as long as it can be restored. */
  private async assertUnused(caller: Principal, { lib_id, lib_name }: ContentLibrary): Promise<void> {
    const { seen, hidden } = await this.libraries.listSitesUsing(caller, lib_id, NAMED_SITES);
    if (seen.length + hidden === 0) return;
    throw new Problem('in_use', `Sites use the library ${lib_name}. Give these sites another library first.`, {
      errors: [
        ...seen.map(({ site_id, site_name }) => ({ path: site_id, code: 'in_use', message: `The site ${site_name} uses the library.` })),
        ...(hidden === 0
          ? []
          : [{ path: 'site_library', code: 'in_use', message: `Sites that you cannot see use the library: ${hidden}.` }]),
      ],
    });
  }

  private async read(caller: Principal, lib_id: string): Promise<VersionedLibraryRow> {
    const row = await this.libraries.findLibraryRow(caller, lib_id);
    if (!row) throw notFound('content schema library');
    return row;
  }

  private async runWithUniqueName<T>(lib_name: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw violatesConstraint(error, 'content_library_name_taken') ? libraryNameTaken(lib_name) : error;
    }
  }
}

const shown = (library: ContentLibrary): JsonObject => pick(library, SHOWN);
const targetOf = ({ lib_id, lib_name }: ContentLibrary) => ({ type: 'content_library', id: lib_id, name: lib_name });
