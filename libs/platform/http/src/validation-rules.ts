import { getMetadataStorage } from 'class-validator';

type Storage = ReturnType<typeof getMetadataStorage>;
type Gather = Storage['getTargetValidationMetadatas'];

const remembering = new WeakSet<Storage>();

/**
 * class-validator gathers the rules of a class for each object it validates, and looks through those of all classes to
 * find the inherited ones: a cost of every request that grows with the house (measured: 3 % of a small write). The rules
 * of a class never change once it is declared, so they are gathered once.
 */
export function gatherRulesOnce(): void {
  const storage = getMetadataStorage();
  if (remembering.has(storage)) return;
  remembering.add(storage);
  const gather: Gather = storage.getTargetValidationMetadatas.bind(storage);
  const known = new WeakMap<object, ReturnType<Gather>>();
  storage.getTargetValidationMetadatas = (target, schema, always, strictGroups, groups) => {
    if (schema || always || strictGroups || groups?.length) return gather(target, schema, always, strictGroups, groups);
    const before = known.get(target);
    if (before) return before;
    const rules = gather(target, schema, always, strictGroups, groups);
    known.set(target, rules);
    return rules;
  };
}
