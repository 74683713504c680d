import { Active, Choice, Flag, Id, Ref, Resource, Stamp, TenantRow, Text } from '@atrium/platform/database';
import { alreadyExists, invalidState, Problem, type Clock } from '@atrium/platform/kernel';

export const CMS_PROVIDERS = ['storyblok', 'contentful'] as const;
export type CmsProvider = (typeof CMS_PROVIDERS)[number];
export const MOST_LIBRARIES = 500;

/** A set of content schemas that sites share. */
@Resource({ table: 'content_library', sort: '-lib_created' })
export class ContentLibrary extends TenantRow {
  @Id({ about: 'Id of the library.' }) readonly lib_id!: string;
  @Text({
    min: 1,
    max: 255,
    about: 'Name of the library; unique among active libraries, in any case.',
    example: 'Corporate site',
    filter: 'contains',
    sort: true,
  })
  lib_name!: string;
  @Text({ max: 5_000, optional: true, about: 'What the schemas of the library are for.' }) lib_description!: string | null;
  @Choice(CMS_PROVIDERS, {
    optional: true,
    about: 'Content management system whose components the library mirrors; null for a library of your own.',
    filter: 'equals',
  })
  lib_provider!: CmsProvider | null;
  @Ref({ optional: true, about: 'Site whose content management system the library mirrors; null for a library of your own.' }) lib_site!:
    string | null;
  @Active('change', {
    about: 'Whether the library is active; false if it was deleted. Sites cannot be given an inactive library.',
  })
  lib_active!: boolean;
  @Stamp({ about: 'When the library was created.', filter: 'range', sort: true }) lib_created!: Date;
  @Stamp({ about: 'When the library was last changed.', filter: 'range', sort: true }) lib_updated!: Date;

  @Flag({ internal: true }) lib_standard!: boolean;

  /** A new one that has nothing but what it must have. */
  static blank(facts: Partial<ContentLibrary> & Pick<ContentLibrary, 'lib_id' | 'lib_name'>, now: Date): ContentLibrary {
    return Object.assign(new ContentLibrary(), {
      lib_description: null,
      lib_provider: null,
      lib_site: null,
      lib_standard: false,
      lib_active: true,
      lib_created: now,
      lib_updated: now,
      ...facts,
    });
  }

  /** The library that every workspace begins with is copied, never changed; of a mirror the CMS decides. */
  assertChangeable(): void {
    if (this.lib_standard) throw invalidState('The library Standard cannot be changed. Copy it and change the copy.');
  }

  touch(clock: Clock): void {
    this.lib_updated = clock.now();
  }
}

export const libraryNameTaken = (name: string): Problem =>
  alreadyExists('lib_name', `An active library named ${name} already exists. Choose another name.`);

export const tooManyLibraries = (): Problem =>
  new Problem('limit_reached', `A workspace can have at most ${MOST_LIBRARIES} active content schema libraries. Delete one first.`);
