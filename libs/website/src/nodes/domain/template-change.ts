import type { JsonObject } from '@atrium/platform/kernel';
import { BLOCK_KEYS, type Block, type Component } from '../../content/domain/content-form';

/** The root of a page under another template: values of fields that both have, by key and type. */
export function followTemplate(tree: Block, before: Component | undefined, after: Component): JsonObject {
  const types = new Map((before?.form.fields ?? []).map(({ key, type }) => [key, type.name]));
  const kept = new Set(after.form.fields.filter(({ key, type }) => types.get(key) === type.name).map(({ key }) => key));
  return {
    ...Object.fromEntries(Object.entries(tree).filter(([key]) => !BLOCK_KEYS.has(key) && kept.has(key))),
    _uid: tree._uid,
    component: after.key,
  };
}
