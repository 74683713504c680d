import { Injectable } from '@nestjs/common';
import { FormRows, FormValues, redirected, type OpenForm, type Referrer } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { ObjectWrites } from '../../objects/application/object-writes';
import type { ObjectFacts } from '../../objects/domain/object-change';
import type { WorkspaceObject } from '../../objects/domain/workspace-object';
import { ObjectStore } from '../../objects/infrastructure/object-store';

/** What became of some of the places that refer to a term. */
export interface MovedUses {
  /** How many places refer to the other term from now on: an object that is written has it everywhere. */
  readonly moved: number;
  /** The last place that was reached; null where no more follow. */
  readonly last: Referrer | null;
}

const AT_ONCE = 500;

/**
 * Gives objects another term in the place of one. Objects that cannot be written keep theirs: deleted ones, those in a locked
 * state, those whose content their schema no longer takes; and so do rows of other contexts.
 */
@Injectable()
export class TermUses {
  constructor(
    private readonly values: FormValues,
    private readonly forms: FormRows,
    private readonly store: ObjectStore,
    private readonly writes: ObjectWrites,
  ) {}

  /** The next places behind one, within the open unit of work. */
  async move({ from, into }: { readonly from: string; readonly into: string }, after: Referrer | null, by: Principal): Promise<MovedUses> {
    const places = await this.values.referrers(from, after, AT_ONCE);
    const forms = await this.forms.openAll('object', [...new Set(places.map(({ form_id }) => form_id))], 'share');
    let moved = 0;
    for (const form of forms.values()) {
      const owners = places.filter(({ form_id }) => form_id === form.form_id).map(({ owner_id }) => owner_id);
      moved += await this.rewrite(form, [...new Set(owners)], { from, into }, by);
    }
    return { moved, last: places.length < AT_ONCE ? null : (places.at(-1) ?? null) };
  }

  private async rewrite(
    form: OpenForm,
    owners: readonly string[],
    terms: { readonly from: string; readonly into: string },
    by: Principal,
  ): Promise<number> {
    const objects = (await this.store.lockMany(owners)).filter(({ obj_active, obj_form }) => obj_active && obj_form === form.form_id);
    const changes = objects.map((object) => ({ op: 'update' as const, object, facts: factsOf(form, object, terms) }));
    const uses = await this.values.usesBy(
      terms.from,
      objects.map(({ obj_id }) => obj_id),
    );
    const outcomes = await this.writes.apply(form, changes, { by, action: 'updated', trusted: true });
    return objects.reduce((sum, { obj_id }, at) => (outcomes[at]?.action === 'updated' ? sum + (uses.get(obj_id) ?? 0) : sum), 0);
  }
}

/** Content of an inactive schema is not written, and the terms beside it are. */
function factsOf(form: OpenForm, { obj_content, obj_terms }: WorkspaceObject, { from, into }: { from: string; into: string }): ObjectFacts {
  const content = form.form_active ? redirected(form.compiled, obj_content, { kind: 'taxonomy', from, to: into }) : {};
  return {
    ...(Object.keys(content).length > 0 ? { obj_content: content } : {}),
    ...(obj_terms.includes(from) ? { obj_terms: [...new Set(obj_terms.map((id) => (id === from ? into : id)))] } : {}),
  };
}
