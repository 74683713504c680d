import type { JsonObject, JsonValue } from '@atrium/platform/kernel';

/** An overlay, `{"<uid>.<key>": value}`, in which the values of some blocks are changed; the overlay itself where nothing is. */
export function changeOverlay(overlay: JsonObject, uids: ReadonlySet<string>, change: (values: JsonObject) => JsonObject): JsonObject {
  const groups = new Map<string, Record<string, JsonValue>>();
  for (const [name, value] of Object.entries(overlay)) {
    const { uid, key } = splitName(name);
    if (uids.has(uid)) groups.set(uid, { ...groups.get(uid), [key]: value });
  }
  const changed = [...groups].flatMap(([uid, values]) => {
    const next = change(values);
    return next === values ? [] : [{ uid, next }];
  });
  if (changed.length === 0) return overlay;
  const gone = new Set(changed.map(({ uid }) => uid));
  const stays = Object.entries(overlay).filter(([name]) => !gone.has(splitName(name).uid));
  return Object.fromEntries([
    ...stays,
    ...changed.flatMap(({ uid, next }) => Object.entries(next).map(([key, value]): [string, JsonValue] => [`${uid}.${key}`, value])),
  ]);
}

/** Neither identities of blocks nor keys of fields have dots in them. */
function splitName(name: string): { readonly uid: string; readonly key: string } {
  const dot = name.indexOf('.');
  return { uid: name.slice(0, dot), key: name.slice(dot + 1) };
}
