import { Injectable } from '@nestjs/common';
import { isObject, type JsonObject } from '@atrium/platform/kernel';
import type { LocaleValues } from '../domain/draft-page';
import type { Node } from '../domain/node';
import { PageVersionRows, type StoredParts } from '../infrastructure/page-versions.rows';

/** What a version keeps of a node beside its content. */
export type StoredStructure = Pick<
  Node,
  | 'node_parent'
  | 'node_name'
  | 'node_slug'
  | 'node_slugs'
  | 'node_template'
  | 'node_seo'
  | 'node_link'
  | 'node_tags'
  | 'node_menu'
  | 'node_metadata'
>;

/** A version with its contents. */
export interface StoredVersion {
  readonly ver_id: string;
  readonly node_id: string;
  /** When it was last saved. */
  readonly written: Date;
  readonly structure: StoredStructure;
  readonly tree: JsonObject;
  readonly locales: readonly LocaleValues[];
  /** What each locale showed. */
  readonly hashes: Readonly<Record<string, string>>;
}

/** Versions with their contents put together. */
@Injectable()
export class StoredVersions {
  constructor(private readonly rows: PageVersionRows) {}

  /** One statement for all. */
  async findVersions(ver_ids: readonly string[]): Promise<ReadonlyMap<string, StoredVersion>> {
    if (ver_ids.length === 0) return new Map();
    const stored = await this.rows.findParts(ver_ids);
    return new Map([...stored].map(([ver_id, parts]) => [ver_id, assembled(parts)]));
  }
}

function assembled({ ver_id, ver_node, ver_updated, ver_parts, values }: StoredParts): StoredVersion {
  const locales = Object.entries(ver_parts.hashes).map(([nl_locale]) => {
    const hash = ver_parts.overlays[nl_locale];
    const overlay = hash === undefined ? undefined : values[hash];
    return { nl_locale, nl_overlay: memberOf(overlay, 'values'), nl_sources: memberOf(overlay, 'sources') as LocaleValues['nl_sources'] };
  });
  return {
    ver_id,
    node_id: ver_node,
    written: new Date(ver_updated),
    // It was written from the columns of the node.
    structure: values[ver_parts.structure] as object as StoredStructure,
    tree: values[ver_parts.tree] ?? {},
    locales,
    hashes: ver_parts.hashes,
  };
}

const memberOf = (overlay: JsonObject | undefined, name: string): JsonObject => {
  const member = overlay?.[name];
  return isObject(member) ? member : {};
};
