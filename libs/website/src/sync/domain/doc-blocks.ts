import { isObject, type JsonObject, type JsonValue } from '@atrium/platform/kernel';

const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? (value as readonly JsonValue[]) : []);
const bodyOf = ({ attrs }: JsonObject): readonly JsonObject[] => (isObject(attrs) ? listOf(attrs['body']).filter(isObject) : []);

/** The blocks that a `doc` embeds. */
export function blocksInDoc(node: JsonValue | undefined): readonly JsonObject[] {
  if (!isObject(node)) return [];
  return node['type'] === 'blok' ? bodyOf(node) : listOf(node['content']).flatMap(blocksInDoc);
}

/** A `doc` with the identities of its blocks in place of them: equal where the text is, whatever is in the blocks. */
export function textAlone(node: JsonValue | undefined): JsonValue {
  if (!isObject(node)) return node ?? null;
  if (node['type'] === 'blok') return { ...node, attrs: bodyOf(node).map(({ _uid }) => _uid ?? null) };
  return Array.isArray(node['content']) ? { ...node, content: listOf(node['content']).map(textAlone) } : node;
}
