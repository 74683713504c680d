import { isObject, type JsonObject } from '@atrium/platform/kernel';
import { assetFile } from '../../content/domain/asset';
import type { FindComponent } from '../../content/domain/content-form';
import { linkReference } from '../../content/domain/link';
import { findReferences, valueReferences } from '../../content/domain/references';
import { placedBlocks } from '../../content/domain/tree';
import type { DraftPage, SettledLocale } from './draft-page';
import type { Node } from './node';
import type { DraftReference } from './page-draft';

/** Every page and file that a draft refers to in any locale, each once. */
export function draftReferences(
  page: DraftPage,
  { node_link, node_seo }: Pick<Node, 'node_link' | 'node_seo'>,
  locales: readonly Pick<SettledLocale, 'nl_overlay'>[],
  find: FindComponent,
): readonly DraftReference[] {
  const found = new Map<string, DraftReference>();
  const add = (kind: DraftReference['kind'], ref: string): void => void found.set(`${kind} ${ref}`, { kind, ref });
  for (const { kind, id } of findReferences(page.tree, find)) add(kind, id);
  for (const { kind, ref } of besideReferences(node_link, node_seo)) add(kind, ref);
  const fields = new Map(placedBlocks(page.tree, find).map(({ block }) => [block._uid, find(block.component)?.form.fields ?? []]));
  for (const { nl_overlay } of locales)
    for (const [name, value] of Object.entries(nl_overlay)) {
      const dot = name.indexOf('.');
      const key = name.slice(dot + 1);
      const type = name === SEO_IMAGE ? 'asset' : fields.get(name.slice(0, dot))?.find((field) => field.key === key)?.type.name;
      if (type !== undefined) for (const { kind, id } of valueReferences(value, type)) add(kind, id);
    }
  return [...found.values()];
}

const SEO_IMAGE = 'seo.image';

/** What a node refers to beside its content. */
export function besideReferences(link: JsonObject | null, seo: JsonObject): readonly DraftReference[] {
  const target = link ? linkReference(link) : null;
  const image = isObject(seo.image) ? assetFile(seo.image) : null;
  return [...(target ? [{ kind: target.kind, ref: target.id }] : []), ...(image === null ? [] : [{ kind: 'file' as const, ref: image }])];
}
