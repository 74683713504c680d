import type { JsonObject, JsonValue } from '@atrium/platform/kernel';
import type { MappedSchema, Unsupported } from './cms-schema';
import { BlockIdentities } from './remote-names';
import type { Overlay } from '../../content/domain/overlays';

/** The deepest block that is read; a page nests no deeper. */
export const DEEPEST_BLOCK = 32;

/** Identity of the root block where a CMS has none for it: the page itself is it. */
export const UNNAMED_ROOT = 'page-root';

/** A block of a CMS as it was read: where it came from, and what it became. */
export interface ReadBlock {
  readonly raw: JsonObject;
  readonly schema: MappedSchema;
  readonly neutral: JsonObject;
}

/** Collects what one page is read into: identities, values of other locales, and what cannot be carried. */
export class PageReading {
  readonly unsupported: Unsupported[] = [];
  /** By `_uid`. */
  readonly blocks = new Map<string, ReadBlock>();
  private readonly identities = new BlockIdentities();
  private readonly values = new Map<string, Record<string, JsonValue>>();

  claim(given: unknown, place: string): string {
    return this.identities.claim(given, place);
  }

  refuse(path: string, reason: string): undefined {
    this.unsupported.push({ path, reason });
    return undefined;
  }

  addOverlay(locale: string, path: string, value: JsonValue): void {
    const overlay = this.values.get(locale) ?? {};
    overlay[path] = value;
    this.values.set(locale, overlay);
  }

  get overlays(): Readonly<Record<string, Overlay>> {
    return Object.fromEntries(this.values);
  }
}
