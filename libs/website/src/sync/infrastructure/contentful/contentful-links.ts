import { isObject, type JsonValue } from '@atrium/platform/kernel';
import { linkedId } from '../../domain/contentful/contentful-reading';
import type { Row } from './contentful-answers';
import type { EnvironmentFacts } from './contentful-api';

/** Ids of the entries that a row holds as blocks, in its fields and in its texts. */
export function blockIds({ sys, fields }: Row, { book, defaultLocale }: EnvironmentFacts): readonly string[] {
  const schema = book.findByName(sys.contentType?.sys.id ?? '');
  return (schema?.fields ?? []).flatMap(({ remote, type }) => {
    const value = fields[remote]?.[defaultLocale];
    if (type === 'doc') return [...embeddedIds(value)];
    if (type !== 'blocks') return [];
    const links = Array.isArray(value) ? (value as readonly JsonValue[]) : [value];
    return links.flatMap((link) => linkedId(link, 'Entry') ?? []);
  });
}

function* embeddedIds(node: JsonValue | undefined): Generator<string> {
  if (!isObject(node)) return;
  const target = isObject(node['data']) ? linkedId(node['data']['target'], 'Entry') : undefined;
  if (node['nodeType'] === 'embedded-entry-block' && target !== undefined) yield target;
  const content = node['content'];
  if (Array.isArray(content)) for (const inner of content as readonly JsonValue[]) yield* embeddedIds(inner);
}

/** Ids of the files that a value shows. */
export function* assetIds(value: JsonValue | undefined): Generator<string> {
  const id = linkedId(value, 'Asset');
  if (id !== undefined) yield id;
  else if (Array.isArray(value)) for (const inner of value as readonly JsonValue[]) yield* assetIds(inner);
  else if (isObject(value)) for (const inner of Object.values(value)) yield* assetIds(inner);
}

/** The blocks of one page among those of several. */
export function closureOf(page: Row, blocks: ReadonlyMap<string, Row>, facts: EnvironmentFacts): readonly Row[] {
  const own = new Map<string, Row>();
  const visit = (row: Row): void => {
    for (const id of blockIds(row, facts)) {
      const block = blocks.get(id);
      if (!block || own.has(id) || id === page.sys.id) continue;
      own.set(id, block);
      visit(block);
    }
  };
  visit(page);
  return [...own.values()];
}
