import { invalidField, isId } from '@atrium/platform/kernel';

/** What a thread may be about. */
export const SUBJECT_TYPES = ['file', 'design', 'presentation', 'object', 'node', 'ds', 'infographic'] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** The subject of a context thread. */
export interface ThreadRef {
  readonly type: SubjectType;
  readonly id: string;
}

/** The subject as a client names it: `{type, id}` and nothing else. */
export function checkedRef(ref: object): ThreadRef {
  const unknown = Object.keys(ref).find((key) => key !== 'type' && key !== 'id');
  if (unknown !== undefined) throw invalidField(`thread_ref.${unknown}`, 'must contain only type and id', 'unknown_field');
  const { type, id } = ref as { readonly type?: unknown; readonly id?: unknown };
  if (!isSubjectType(type)) throw invalidField('thread_ref.type', `must be one of ${SUBJECT_TYPES.join(', ')}`, 'choice');
  if (!isId(id)) throw invalidField('thread_ref.id', 'must be a UUID', 'uuid');
  return { type, id: id.toLowerCase() };
}

/** What context threads are found by. */
export const refKeyOf = ({ type, id }: ThreadRef): string => `${type}:${id}`;

const isSubjectType = (value: unknown): value is SubjectType => SUBJECT_TYPES.some((type) => type === value);
