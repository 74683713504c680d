import { Injectable } from '@nestjs/common';
import { LISTED_REPO_TYPES, ReadableFiles } from '@atrium/files';
import { FormRows, valuesOf, type Field } from '@atrium/forms';
import { KnownMembers } from '@atrium/identity';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database } from '@atrium/platform/database';
import { invalidField, type JsonObject } from '@atrium/platform/kernel';
import { ObjectStore } from '../infrastructure/object-store';
import { mayShowHidden, ObjectList, type VersionedObject } from './object-list';
import { ObjectTerms } from './object-terms';

export type ExpandedObject = VersionedObject & { readonly expanded?: Readonly<Record<string, JsonObject>> };

const KINDS: ReadonlySet<string | undefined> = new Set(['object', 'file', 'user', 'taxonomy']);
const ALL = '*';

/** An object with short forms of what it refers to: one statement a kind, and only what the caller may read. */
@Injectable()
export class ObjectExpansion {
  constructor(
    private readonly db: Database,
    private readonly rows: ObjectList,
    private readonly formRows: FormRows,
    private readonly store: ObjectStore,
    private readonly files: ReadableFiles,
    private readonly members: KnownMembers,
    private readonly terms: ObjectTerms,
  ) {}

  readExpanded(
    caller: Principal,
    obj_id: string,
    { expand, include_hidden }: { readonly expand?: string; readonly include_hidden?: boolean },
  ): Promise<ExpandedObject> {
    return this.db.read(async () => {
      const object = await this.rows.readObject(caller, obj_id, { hidden: mayShowHidden(caller, include_hidden) });
      if (expand === undefined) return object;
      const { compiled } = await this.formRows.openForm('object', object.obj_form);
      const fields = expandedFields(expand, compiled.all);
      const ids = (kind: string): string[] => [
        ...new Set(
          fields
            .filter(({ type, sensitive }) => type.reference === kind && !sensitive)
            .flatMap((field) => valuesOf(object.obj_content, field).flatMap((value) => field.type.references?.(value) ?? [])),
        ),
      ];
      return { ...object, expanded: Object.fromEntries(await this.short(caller, ids)) };
    });
  }

  private async short(caller: Principal, ids: (kind: string) => string[]): Promise<readonly (readonly [string, JsonObject])[]> {
    const objects = ids('object').length === 0 ? [] : await this.store.findAmong(ids('object'), aclAllows('r.obj_acl', caller, 'view'));
    const files = await this.files.findReadable(caller, ids('file'), LISTED_REPO_TYPES);
    const people = await this.members.findMemberNames(ids('user'));
    const terms = await this.terms.findTermNames(ids('taxonomy'));
    return [
      ...objects.map(({ obj_id, obj_name, obj_form }) => [obj_id, { kind: 'object', obj_id, obj_name, obj_form }] as const),
      ...[...files.values()].map(
        ({ file_id, file_name, file_type }) => [file_id, { kind: 'file', file_id, file_name, file_type }] as const,
      ),
      ...[...people].map(([user_id, user_name]) => [user_id, { kind: 'user', user_id, user_name }] as const),
      ...[...terms].map(([term_id, term_name]) => [term_id, { kind: 'term', term_id, term_name }] as const),
    ];
  }
}

/** The fields of references that a client names by their keys, or all of them. */
function expandedFields(expand: string, all: readonly Field[]): readonly Field[] {
  const possible = all.filter(({ type }) => KINDS.has(type.reference));
  if (expand === ALL) return possible;
  return expand.split(',').map((key) => {
    const field = possible.find(({ path }) => path === key.trim());
    if (!field) throw invalidField('expand', `is not a field of objects, files, users or terms: ${key.slice(0, 80)}`, 'unknown_field');
    return field;
  });
}
