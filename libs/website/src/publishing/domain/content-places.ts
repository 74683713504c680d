import type { Block, FindComponent } from '../../content/domain/content-form';
import { findReferences } from '../../content/domain/references';
import { placedBlocks, placedValues } from '../../content/domain/tree';
import type { ContentPlace } from './live-page';

/** Where a page refers to pages and files, and where its documents are: with it, content can be delivered without its schemas. */
export function findPlaces(root: Block, find: FindComponent): ContentPlace[] {
  const references = findReferences(root, find).map(({ kind, path, id }): ContentPlace => ({ kind, path, ref: id }));
  const docs = placedBlocks(root, find).flatMap(({ block, path }) =>
    placedValues(block, find(block.component)?.form.fields ?? [], path)
      .filter(({ field }) => field.type.name === 'doc')
      .map((placed): ContentPlace => ({ kind: 'doc', path: placed.path, ref: '' })),
  );
  return [...references, ...docs];
}
