import { Injectable } from '@nestjs/common';
import { Forms, type CompiledForm } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { Ids, invalidFields, isObject, Problem, type FieldFault, type JsonValue } from '@atrium/platform/kernel';
import type { Block } from '../../content/domain/content-form';
import { MOST_TREE_BYTES, openPage, type ContentPart } from '../../content/domain/page-check';
import type { SiteLibrary } from './site-libraries';

/** Where content comes from, and what it takes the place of. */
export interface CheckedAs {
  readonly library: SiteLibrary;
  readonly site_id: string;
  /** Key of the template. */
  readonly template: string;
  readonly previous: Block | null;
  readonly caller: Principal;
  /** Content of a CMS may be what a person could not write. */
  readonly trusted?: boolean;
}

/** Pages whose parts are judged together. */
export interface InspectedPage {
  readonly tree: Block;
  readonly library: SiteLibrary;
}

const AT = 'node_content';
/** Blocks that one call of the form language judges: those of the largest page, and its root. */
const MOST_PARTS = 2_001;

/** Judges the content of pages by the schemas of their blocks. */
@Injectable()
export class ContentChecks {
  constructor(
    private readonly forms: Forms,
    private readonly ids: Ids,
  ) {}

  newUid(): string {
    return this.ids.next();
  }

  /** Content in the form in which it is stored. What is malformed is `validation_failed`; what is missing is for later. Within a unit of work. */
  async checkContent(given: JsonValue, { library, template, previous, caller, site_id, trusted = false }: CheckedAs): Promise<Block> {
    const opened = openPage(withIdentity(given, previous), { find: library.find, template, at: AT, previous, newUid: () => this.newUid() });
    if (opened.faults.length > 0) throw invalidFields(opened.faults);
    const checked = await this.forms.validateEach(opened.parts, caller, {
      incomplete: true,
      scope: { site: site_id },
      trusted,
      mostBytes: MOST_TREE_BYTES,
    });
    const faults = checked.flatMap((part) => part.faults);
    if (faults.length > 0) throw invalidFields(faults);
    return opened.assemble(checked.map(({ content }) => content));
  }

  /**
   * What keeps stored pages from being published, for each in its order. With a caller references are asked after again, those to files: a
   * link to a page may lead nowhere for now. Pages are judged together, so that many cost few statements.
   */
  async inspectPages(pages: readonly InspectedPage[], caller: Principal | null): Promise<readonly (readonly FieldFault[])[]> {
    const faults: FieldFault[][] = pages.map(() => []);
    const opened = pages.map((page, at) => this.partsOf(page).map((part) => ({ at, part })));
    for (const stretch of stretchesOf(opened)) {
      const found = await this.forms.inspectEach(
        stretch.map(({ part }) => part),
        caller && { actor: caller, scope: STORED },
      );
      found.forEach((of, place) => faults[stretch[place]?.at ?? -1]?.push(...of));
    }
    return faults;
  }

  private partsOf({ tree, library }: InspectedPage): readonly ContentPart<CompiledForm>[] {
    try {
      const { parts } = openPage(tree, {
        find: library.find,
        template: tree.component,
        at: AT,
        previous: tree,
        newUid: () => this.newUid(),
      });
      return parts;
    } catch (error) {
      // With the values of a locale a page can be larger than its tree may be.
      if (error instanceof Problem && error.code === 'payload_too_large') return [];
      throw error;
    }
  }
}

/** The root of a page stays itself when a request leaves its identity out: values of other locales name it. */
const withIdentity = (given: JsonValue, previous: Block | null): JsonValue =>
  isObject(given) && previous && !Object.hasOwn(given, '_uid') ? { ...given, _uid: previous._uid } : given;

/** References of stored content, to which pages that are gone are no fault. */
const STORED = { stored: 'yes' } as const;

/** Parts of pages, as many together as one call judges; the parts of a page stay together. */
function stretchesOf<T>(pages: readonly (readonly T[])[]): readonly (readonly T[])[] {
  const stretches: T[][] = [];
  for (const parts of pages) {
    const last = stretches.at(-1);
    if (last && last.length + parts.length <= MOST_PARTS) last.push(...parts);
    else if (parts.length > 0) stretches.push([...parts.slice(0, MOST_PARTS)]);
  }
  return stretches;
}
