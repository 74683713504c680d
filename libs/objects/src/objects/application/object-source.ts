import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FormRows, Forms, isRetrieved, valuesOf, type CompiledForm } from '@atrium/forms';
import { KnownMembers } from '@atrium/identity';
import { aclAllows, type Principal } from '@atrium/platform/access';
import { Database, requireScope, sql, type Sql } from '@atrium/platform/database';
import { isId, type JsonObject } from '@atrium/platform/kernel';
import { SearchScopes, SourceKinds, type SourceKind, type SourceText } from '@atrium/retrieval';
import { ObjectStore } from '../infrastructure/object-store';
import { OBJECT_SOURCE, SCOPE_PREFIX, scopeOf } from './object-index';
import { ObjectStates } from './object-states';

/** Objects as sources of passages, and schemas as scopes of searches: which text they have, and who finds them. */
@Injectable()
export class ObjectSource implements SourceKind, OnModuleInit {
  readonly kind = OBJECT_SOURCE;

  constructor(
    private readonly db: Database,
    private readonly kinds: SourceKinds,
    private readonly scopes: SearchScopes,
    private readonly rows: FormRows,
    private readonly forms: Forms,
    private readonly store: ObjectStore,
    private readonly states: ObjectStates,
    private readonly members: KnownMembers,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
    this.scopes.register({ prefix: SCOPE_PREFIX, findReadableKeys: (actor, keys) => this.open(actor, keys) });
  }

  readText(id: string): Promise<SourceText | null> {
    return this.db.read(async () => {
      const object = await this.store.findRow(id);
      if (!object?.obj_active) return null;
      const { compiled } = await this.rows.openForm('object', object.obj_form);
      const state = (await this.states.describeStates([object])).get(id);
      const names = await this.namesIn(compiled, object.obj_content);
      const markdown = this.forms.toMarkdown(compiled, object.obj_content, { names });
      return {
        version: object.obj_text,
        version_id: null,
        title: object.obj_name,
        url: object.obj_external_url,
        markdown: markdown === '' ? object.obj_name : markdown,
        pages: [],
        language: null,
        meta: { form: object.obj_form, status: state?.name ?? null },
      };
    });
  }

  async findVersion(id: string): Promise<string | null> {
    const object = await this.store.findRow(id);
    return object?.obj_active ? object.obj_text : null;
  }

  existsCondition(): Sql {
    return sql`EXISTS (SELECT FROM object r WHERE r.tenant_id = ${requireScope().tenant_id} AND r.obj_id = s.source_id)`;
  }

  buildReadableCondition(actor: Principal | null): Promise<Sql> {
    if (actor && !maySearch(actor)) return Promise.resolve(sql`false`);
    const open = actor ? aclAllows('r.obj_acl', actor, 'view') : sql`r.obj_acl = '{}'`;
    return Promise.resolve(
      sql`EXISTS (SELECT FROM object r WHERE r.tenant_id = s.tenant_id AND r.obj_id = s.source_id AND r.obj_active AND ${open})`,
    );
  }

  /** Schemas that ask for it; access lists are those of objects. */
  private async open(actor: Principal | null, keys: readonly string[] | null): Promise<readonly string[]> {
    if (actor ? !maySearch(actor) : keys === null) return [];
    if (keys === null) return (await this.rows.findRetrievedForms('object')).map(scopeOf);
    const ids = keys.map((key) => key.slice(SCOPE_PREFIX.length + 1).toLowerCase()).filter(isId);
    const forms = await this.rows.openAll('object', ids);
    return [...forms.values()].filter(isRetrieved).map(({ form_id }) => scopeOf(form_id));
  }

  /** What the people and objects are called that content names. */
  private async namesIn(form: CompiledForm, content: JsonObject): Promise<ReadonlyMap<string, string>> {
    const ids = (kind: string): string[] =>
      form.all
        .filter(({ type, sensitive, hidden }) => type.reference === kind && !sensitive && !hidden)
        .flatMap((field) => valuesOf(content, field).flatMap((value) => field.type.references?.(value) ?? []));
    const [users, objects] = [ids('user'), ids('object')];
    const people = await this.members.findMemberNames(users);
    // What bears an access list of its own is not named to readers of another object.
    const named = objects.length === 0 ? [] : await this.store.findAmong(objects, sql`r.obj_acl = '{}'`);
    return new Map([...people, ...named.map(({ obj_id, obj_name }) => [obj_id, obj_name] as const)]);
  }
}

const maySearch = ({ permissions, modules }: Principal): boolean => permissions.has('object:view') && modules.has('module-objects');
