import { FormReferences, Forms, type OpenForm } from '@atrium/forms';
import type { Principal } from '@atrium/platform/access';
import { SystemClock, TimeOrderedIds, type JsonObject } from '@atrium/platform/kernel';
import type { LifecycleTransition } from '../domain/lifecycle-flow';
import { TransitionNeeds } from './transition-needs';

const clock = new SystemClock();
const forms = new Forms(new FormReferences(), clock, new TimeOrderedIds());
const needs = new TransitionNeeds(forms, clock);
const config: JsonObject = {
  fields: [
    { key: 'price', type: 'number', label: 'Price' },
    { key: 'tags', type: 'tags', label: 'Tags' },
    { key: 'sold', type: 'boolean', label: 'Sold' },
    { key: 'secret', type: 'text', label: 'Secret', sensitive: true, hidden: true },
  ],
};
const form = { form_name: 'Lamp', compiled: forms.compileForm(config) } as OpenForm;
const caller = { user_id: 'ada', role_ids: ['editors'], permissions: new Set(['object:view', 'object:edit']) } as unknown as Principal;

const unmet = (transition: Partial<LifecycleTransition>, content: JsonObject, previous: JsonObject = content): string[] =>
  needs
    .findUnmet(caller, form, { require_fields: [], condition: null, ...transition } as LifecycleTransition, {
      content,
      previous,
      state: 'draft',
    })
    .map(({ path, code }) => `${path} ${code}`);

describe('a transition', () => {
  it('lacks values that are absent, null or empty, and none that are false or 0', () => {
    const required = { require_fields: ['price', 'tags', 'sold'] };
    expect(unmet(required, {})).toEqual(['obj_content.price required', 'obj_content.tags required', 'obj_content.sold required']);
    expect(unmet(required, { price: null, tags: [], sold: true })).toEqual(['obj_content.price required', 'obj_content.tags required']);
    expect(unmet(required, { price: 0, tags: ['a'], sold: false })).toEqual([]);
  });

  it('finds values that nobody is shown', () => {
    expect(unmet({ require_fields: ['secret'], condition: 'content.secret == "x"' }, { secret: 'x' })).toEqual([]);
  });

  it('shows nothing of a value by its condition to a caller who does not see it', () => {
    const told = (condition: string, content: JsonObject): readonly string[] => {
      const viewer = { ...caller, permissions: new Set(['object:view']) } as unknown as Principal;
      const transition = { require_fields: [], condition } as unknown as LifecycleTransition;
      return needs.findUnmetNeeds(viewer, form, transition, { content, previous: content, state: 'draft' }).map(({ message }) => message);
    };
    for (const condition of [
      'content.secret == "x"',
      'content["sec" + "ret"] == "x"',
      'content.exists(key, content[key] == "x")',
      'has(content.secret)',
    ])
      expect(told(condition, { secret: 'x' })).toEqual(told(condition, { secret: 'y' }));
    expect(told('content.price > 1', { price: 2 })).toEqual([]);
  });

  it('says nothing of a required field that its caller does not see, neither what it is nor, before the move, whether it is there', () => {
    const transition = { require_fields: ['secret', 'price'], condition: null } as unknown as LifecycleTransition;
    const judged = (content: JsonObject) => ({ content, previous: content, state: 'draft' });
    const told = (content: JsonObject) => needs.findUnmetNeeds(caller, form, transition, judged(content));
    const closed = { path: 'transition', code: 'required', message: 'The transition requires a value that you cannot read.' };
    expect(told({ price: 1 })).toEqual([closed]);
    expect(told({ price: 1, secret: 'x' })).toEqual([closed]);
    expect(needs.findUnmet(caller, form, transition, judged({ price: 1 }))).toEqual([closed]);
    expect(needs.findUnmet(caller, form, transition, judged({ price: 1, secret: 'x' }))).toEqual([]);
    expect(needs.listShownFields(caller, form, transition)).toEqual(['price']);
    const author = { ...caller, permissions: new Set(['object:view', 'object:edit', 'object:schema:edit']) } as unknown as Principal;
    expect(needs.findUnmetNeeds(author, form, transition, judged({ price: 1 }))).toMatchObject([{ path: 'obj_content.secret' }]);
    expect(needs.listShownFields(author, form, transition)).toEqual(['secret', 'price']);
  });

  it('is refused by what its caller sees alone, so that a refusal says nothing of the rest', () => {
    const condition = 'content.price > 1 && content.secret == "x"';
    const transition = { require_fields: ['secret', 'price'], condition } as unknown as LifecycleTransition;
    const refused = (content: JsonObject, by = transition) =>
      needs.findUnmet(caller, form, by, { content, previous: content, state: 'draft' }).map(({ path, code }) => `${path} ${code}`);
    expect(refused({ price: 2, secret: 'x' })).toEqual([]);
    const withoutPrice = refused({});
    expect(withoutPrice).toContain('obj_content.price required');
    for (const secret of ['x', 'y', null]) expect(refused({ secret })).toEqual(withoutPrice);
    expect(refused({ price: 2, secret: 'y' })).toEqual(refused({ price: 2 }));
    expect(refused({ price: 1, secret: 'x' })).toEqual(refused({ price: 1 }));

    const open = { ...transition, condition: 'content.secret == "x" || !has(content.secret)' };
    expect(refused({ price: 2, secret: 'y' }, open)).toEqual(refused({ price: 2 }, open));
    const bare = { ...transition, require_fields: ['price'], condition: 'content.price > 1' };
    expect(refused({ price: 1 }, bare)).toEqual(['transition condition']);
  });

  it('lacks a field that the schema no longer has, even where a value of it is stored', () => {
    expect(unmet({ require_fields: ['gone'] }, { gone: 1 })).toEqual(['obj_content.gone unknown_field']);
  });

  it('needs its condition to be true, of the content as it will be and as it was', () => {
    const rises = { condition: 'content.price > previous.price && state == "draft" && "editors" in user.roles && user.id == "ada"' };
    expect([unmet(rises, { price: 2 }, { price: 1 }), unmet(rises, { price: 1 }, { price: 2 })]).toEqual([[], ['transition condition']]);
  });

  it('counts a condition as unmet that fails or that gives no truth value', () => {
    expect(['content.price > 1', '1 + 1', 'content.tags[7] == "a"'].map((condition) => unmet({ condition }, {}))).toEqual([
      ['transition condition'],
      ['transition condition'],
      ['transition condition'],
    ]);
  });
});
